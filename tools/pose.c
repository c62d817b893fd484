#include "pose.h"

#include "number.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { MOST_NUMBERS = 12 };

/* Reads numbers separated by single commas, or by commas and spaces if loose, up to a space or the end. */
static int read_numbers(const char **text, bool loose, double out[MOST_NUMBERS + 1])
{
    int count = 0;
    const char *s = *text;
    while (count <= MOST_NUMBERS) {
        const char *end;
        if (!number_begins(s, &end, &out[count]))
            return -1;
        count++;
        s = end;
        bool more = *s == ',';
        if (more)
            s++;
        while (loose && isspace((unsigned char)*s)) {
            s++;
            more |= *s != 0;
        }
        if (!more)
            break;
    }
    *text = s;
    return count;
}

/* Sine and cosine with exact quarters, so that rz=90 moves integers to integers. */
static void turn(double degrees, double *sine, double *cosine)
{
    if (!isfinite(degrees)) {
        *sine = *cosine = NAN; /* refused with the whole pose */
        return;
    }
    double quarter = floor(degrees / 90 + 0.5),
           rest = (degrees - 90 * quarter) * (3.14159265358979323846 / 180);
    double s = sin(rest), c = cos(rest);
    switch ((int)(quarter - 4 * floor(quarter / 4))) {
    case 0:
        *sine = s, *cosine = c;
        break;
    case 1:
        *sine = c, *cosine = -s;
        break;
    case 2:
        *sine = -s, *cosine = -c;
        break;
    default:
        *sine = -c, *cosine = s;
        break;
    }
}

/* Rodrigues' formula about a unit axis. */
static bw_transform rotation(double x, double y, double z, double degrees)
{
    double s, c;
    turn(degrees, &s, &c);
    double d = 1 - c;
    return (bw_transform){{{c + d * x * x, d * x * y - s * z, d * x * z + s * y, 0},
                           {d * x * y + s * z, c + d * y * y, d * y * z - s * x, 0},
                           {d * x * z - s * y, d * y * z + s * x, c + d * z * z, 0}}};
}

/* The map of one word, "name=numbers"; count is how many numbers there are. */
static bool word_map(const char *name, size_t length, const double *v, int count, bw_transform *out)
{
    *out = bw_transform_identity();
    if (length == 1 && *name == 's' && (count == 1 || count == 3)) {
        for (int i = 0; i < 3; i++)
            out->m[i][i] = v[count == 1 ? 0 : i];
        return true;
    }
    if (length == 1 && *name == 't' && count == 3) {
        for (int i = 0; i < 3; i++)
            out->m[i][3] = v[i];
        return true;
    }
    if (length == 2 && *name == 'r' && name[1] >= 'x' && name[1] <= 'z' && count == 1) {
        *out = rotation(name[1] == 'x', name[1] == 'y', name[1] == 'z', v[0]);
        return true;
    }
    double size = count == 4 ? hypot(hypot(v[0], v[1]), v[2]) : 0;
    if (length == 1 && *name == 'r' && size > 0 && isfinite(size)) {
        *out = rotation(v[0] / size, v[1] / size, v[2] / size, v[3]);
        return true;
    }
    return false;
}

static bool all_finite(const bw_transform *t)
{
    for (int i = 0; i < 12; i++)
        if (!isfinite(t->m[i / 4][i % 4]))
            return false;
    return true;
}

bool pose_parse(const char *text, const char *option, bw_transform *out, fault *why)
{
    bw_transform pose = bw_transform_identity();
    double v[MOST_NUMBERS + 1] = {0};
    const char *s = text;
    while (isspace((unsigned char)*s))
        s++;
    if (!*s)
        return fault_set(why, "--%s: an empty pose", option);
    const char *first = s;
    int count = read_numbers(&s, true, v);
    if (count >= 0) {
        if (count != 12 || *s)
            return fault_set(why, "--%s: \"%s\" is not twelve numbers", option, text);
        memcpy(pose.m, v, sizeof pose.m);
    } else {
        for (s = first; *s;) {
            size_t length = strcspn(s, "= ");
            const char *values = s + length + (s[length] == '=');
            bw_transform map, whole;
            int had = s[length] == '=' ? read_numbers(&values, false, v) : -1;
            if (had < 0 || (*values && !isspace((unsigned char)*values)) ||
                !word_map(s, length, v, had, &map))
                return fault_set(
                    why, "--%s: \"%.*s\" is neither s=F, s=X,Y,Z, t=X,Y,Z, rx=, ry=, rz=DEG nor r=X,Y,Z,DEG",
                    option, (int)strcspn(s, " "), s);
            whole = bw_transform_multiply(&map, &pose);
            pose = whole;
            for (s = values; isspace((unsigned char)*s);)
                s++;
        }
    }
    if (!all_finite(&pose))
        return fault_set(why, "--%s: \"%s\" is not finite", option, text);
    *out = pose;
    return true;
}
