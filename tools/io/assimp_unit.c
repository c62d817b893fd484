/* What importers of assimp 5.2 do with units and axes, found by files made for it: FBX tells them beside
 * coordinates that it leaves alone; COLLADA and IFC put them into the root; 3MF and AMF drop their unit. */
#include "io/assimp_unit.h"

#include "io/xml_package.h"

#include <assimp/commonMetaData.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct aiMetadataEntry *find_entry(const struct aiScene *scene, const char *key)
{
    const struct aiMetadata *all = scene->mMetaData;
    for (unsigned i = 0; all && i < all->mNumProperties; i++)
        if (strcmp(all->mKeys[i].data, key) == 0)
            return &all->mValues[i];
    return NULL;
}

static double number_of(const struct aiScene *scene, const char *key, double otherwise)
{
    const struct aiMetadataEntry *entry = find_entry(scene, key);
    return !entry                      ? otherwise
           : entry->mType == AI_FLOAT  ? (double)*(const float *)entry->mData
           : entry->mType == AI_DOUBLE ? *(const double *)entry->mData
           : entry->mType == AI_INT32  ? (double)*(const int32_t *)entry->mData
                                       : otherwise;
}

/* The number whose rounding to float it is: 0.01 and not 0.00999999978. */
static double shortest(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.7g", value);
    return strtod(text, NULL);
}

static void fbx_unit(const struct aiScene *scene, model *m)
{
    double centimetres = shortest(number_of(scene, "UnitScaleFactor", 0)),
           up = number_of(scene, "UpAxis", -1);
    if (centimetres > 0 && isfinite(centimetres))
        m->unit = centimetres / 100;
    if (number_of(scene, "UpAxisSign", 1) > 0 && up >= 0 && up <= 2)
        m->up = up == 0 ? MODEL_UP_X : up == 1 ? MODEL_UP_Y : MODEL_UP_Z;
}

static double length(ai_real x, ai_real y, ai_real z)
{
    return sqrt((double)x * (double)x + (double)y * (double)y + (double)z * (double)z);
}

static void set_identity(struct aiMatrix4x4 *m)
{
    *m = (struct aiMatrix4x4){.a1 = 1, .b2 = 1, .c3 = 1, .d4 = 1};
}

/* The root of a COLLADA scene is unit and turn and nothing else. */
static void collada_unit(const struct aiScene *scene, model *m)
{
    struct aiMatrix4x4 *root = &scene->mRootNode->mTransformation;
    m->unit = shortest(length(root->a1, root->b1, root->c1));
    /* Which axis of the file became y? */
    m->up = root->b1 > 0 ? MODEL_UP_X : root->b3 > 0 ? MODEL_UP_Z : MODEL_UP_Y;
    set_identity(root);
}

/* A number of a rigid turn, without what is left of the cosine of a right angle in floats. */
static ai_real cleaned(ai_real x, double unit)
{
    double value = (double)x / unit, whole = nearbyint(value);
    return (ai_real)(fabs(value - whole) < 1e-6 ? whole : value);
}

/* The root of an IFC scene is where the site stands, scaled to metres and with z turned to y. */
static void ifc_unit(const struct aiScene *scene, model *m)
{
    struct aiMatrix4x4 *root = &scene->mRootNode->mTransformation, r = *root;
    m->unit = shortest(length(r.a1, r.b1, r.c1));
    m->up = MODEL_UP_Z;
    if (!(m->unit > 0))
        return;
    const double u = m->unit;
    /* x, -z and y of what the importer made are the file's x, y and z. */
    *root = (struct aiMatrix4x4){.a1 = cleaned(r.a1, u),
                                 .a2 = cleaned(r.a2, u),
                                 .a3 = cleaned(r.a3, u),
                                 .a4 = (ai_real)((double)r.a4 / u),
                                 .b1 = cleaned(-r.c1, u),
                                 .b2 = cleaned(-r.c2, u),
                                 .b3 = cleaned(-r.c3, u),
                                 .b4 = (ai_real)((double)-r.c4 / u),
                                 .c1 = cleaned(r.b1, u),
                                 .c2 = cleaned(r.b2, u),
                                 .c3 = cleaned(r.b3, u),
                                 .c4 = (ai_real)((double)r.b4 / u),
                                 .d4 = 1};
}

static bool ends_with(const char *file, const char *extension)
{
    size_t a = strlen(file), b = strlen(extension);
    for (size_t i = 0; a > b && i < b; i++)
        if ((file[a - b + i] | 0x20) != extension[i])
            return false;
    return a > b;
}

void assimp_unit(const char *file, const struct aiScene *scene, model *m)
{
    const struct aiMetadataEntry *entry = find_entry(scene, AI_METADATA_SOURCE_FORMAT);
    const char *importer =
        entry && entry->mType == AI_AISTRING ? ((const struct aiString *)entry->mData)->data : "";
    if (!scene->mRootNode)
        return;
    if (strstr(importer, "FBX")) {
        fbx_unit(scene, m);
    } else if (strstr(importer, "Collada")) {
        collada_unit(scene, m);
    } else if (strstr(importer, "IFC")) {
        ifc_unit(scene, m);
    } else if (strstr(importer, "3mf") || strstr(importer, "AMF")) {
        xml_package package = xml_package_read(file);
        m->unit = package.unit;
        xml_package_free(&package);
        m->up = MODEL_UP_Z;
    } else if (strstr(importer, "glTF") || ends_with(file, ".x3d") || ends_with(file, ".wrl")) {
        m->unit = 1; /* both by their specification */
        m->up = MODEL_UP_Y;
    } else if (strstr(importer, "Quake") || strstr(importer, "Wolfenstein")) {
        set_identity(&scene->mRootNode->mTransformation);
        m->up = MODEL_UP_Z;
    }
}
