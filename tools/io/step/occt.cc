// The reader of STEP, IGES and BREP through OpenCASCADE's documents (XCAF): a walk over the assembly tree; every shape is meshed once.
#include "io/step/step.h"
extern "C" {
#include "io/step/name.h"
}

#include <BRepBndLib.hxx>
#include <BRepMesh_IncrementalMesh.hxx>
#include <BRepTools.hxx>
#include <BRep_Builder.hxx>
#include <BRep_Tool.hxx>
#include <Bnd_Box.hxx>
#include <IGESCAFControl_Reader.hxx>
#include <Interface_Check.hxx>
#include <Interface_CheckIterator.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Poly_Triangulation.hxx>
#include <STEPCAFControl_Reader.hxx>
#include <Standard_Failure.hxx>
#include <TCollection_AsciiString.hxx>
#include <TDF_LabelSequence.hxx>
#include <TDataStd_Name.hxx>
#include <TDocStd_Document.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Face.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <XSControl_WorkSession.hxx>

#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

namespace
{

const double angle = 15;         // degrees between the normals of neighbours
const double share = 1.0 / 2000; // of the diagonal of the whole file

struct reading {
    step_build *build;
    Handle(XCAFDoc_ShapeTool) shapes;
    double accuracy;
    uint32_t shape_count = 0;
    std::vector<std::pair<TopoDS_Shape, uint32_t>> known; // shapes without their place
    std::unordered_map<int, std::vector<size_t>> by_hash;
    uint32_t place_count = 0;
};

std::string name_of(const TDF_Label &label)
{
    Handle(TDataStd_Name) name;
    if (!label.FindAttribute(TDataStd_Name::GetID(), name))
        return "";
    return TCollection_AsciiString(name->Get()).ToCString(); // UTF-8
}

// The triangles of a shape, which are there; false: it has none.
bool add_triangles(reading &r, const TopoDS_Shape &shape, const std::string &name)
{
    bool any = false;
    uint32_t first = 0;
    for (TopExp_Explorer e(shape, TopAbs_FACE); e.More(); e.Next()) {
        const TopoDS_Face &face = TopoDS::Face(e.Current());
        TopLoc_Location place;
        Handle(Poly_Triangulation) mesh = BRep_Tool::Triangulation(face, place);
        if (mesh.IsNull())
            continue;
        if (!any)
            step_shape(r.build, name.c_str());
        any = true;
        for (int i = 1; i <= mesh->NbNodes(); i++) {
            gp_Pnt p = mesh->Node(i);
            if (!place.IsIdentity())
                p.Transform(place.Transformation());
            step_vertex(r.build, p.X(), p.Y(), p.Z());
        }
        for (int i = 1; i <= mesh->NbTriangles(); i++) {
            int a, b, c;
            mesh->Triangle(i).Get(a, b, c);
            if (face.Orientation() == TopAbs_REVERSED)
                std::swap(b, c);
            step_triangle(r.build, first + uint32_t(a - 1), first + uint32_t(b - 1), first + uint32_t(c - 1));
        }
        first += uint32_t(mesh->NbNodes());
    }
    return any;
}

// The number of a shape without its place: meshed when it is first seen. UINT32_MAX: it has no surface.
uint32_t number_of(reading &r, const TopoDS_Shape &bare, const std::string &name)
{
    const int hash = bare.HashCode(INT_MAX);
    for (size_t i : r.by_hash[hash])
        if (r.known[i].first.IsSame(bare) && r.known[i].first.Orientation() == bare.Orientation())
            return r.known[i].second;
    BRepMesh_IncrementalMesh mesher(bare, r.accuracy, false, angle * M_PI / 180, false);
    uint32_t number = add_triangles(r, bare, name) ? r.shape_count++ : UINT32_MAX;
    r.by_hash[hash].push_back(r.known.size());
    r.known.emplace_back(bare, number);
    return number;
}

void put_solid(reading &r, const TopoDS_Shape &shape, const TopLoc_Location &above, const std::string &path)
{
    const TopLoc_Location whole = above * shape.Location();
    uint32_t number = number_of(r, shape.Located(TopLoc_Location()), path);
    if (number == UINT32_MAX)
        return;
    const gp_Trsf t = whole.Transformation();
    double pose[12];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            pose[4 * i + k] = t.Value(i + 1, k + 1);
    step_place(r.build, number, path.c_str(), pose);
    r.place_count++;
}

// One part, or of a shape of several solids one each.
void put_shape(reading &r, const TopoDS_Shape &shape, const TopLoc_Location &above, const std::string &path)
{
    int solids = 0;
    for (TopExp_Explorer e(shape, TopAbs_SOLID); e.More(); e.Next())
        solids++;
    if (solids < 2) {
        put_solid(r, shape, above, path);
        return;
    }
    int number = 0;
    for (TopExp_Explorer e(shape, TopAbs_SOLID); e.More(); e.Next()) // with the place within the shape
        put_solid(r, e.Current(), above,
                  path + (path.empty() ? "" : "/") + "solid " + std::to_string(++number));
}

void walk(reading &r, const TDF_Label &label, const TopLoc_Location &above, const std::string &path)
{
    TDF_Label shape = label;
    TopLoc_Location place = above;
    std::string own = name_of(label);
    if (XCAFDoc_ShapeTool::IsReference(label)) {
        place = above * XCAFDoc_ShapeTool::GetLocation(label);
        XCAFDoc_ShapeTool::GetReferredShape(label, shape);
        if (own.empty() || own.rfind("=>", 0) == 0)
            own = name_of(shape);
    }
    const std::string name = path.empty() ? own : path + "/" + (own.empty() ? "part" : own);
    if (!XCAFDoc_ShapeTool::IsAssembly(shape)) {
        put_shape(r, XCAFDoc_ShapeTool::GetShape(shape), place, name);
        return;
    }
    TDF_LabelSequence components;
    XCAFDoc_ShapeTool::GetComponents(shape, components);
    for (int i = 1; i <= components.Length(); i++)
        walk(r, components.Value(i), place, name);
}

bool say(char *text, size_t size, const char *what)
{
    std::snprintf(text, size, "%s", what);
    return false;
}

// Entities at fault: counted, and the first told.
void note_faults(reading &r, const Handle(XSControl_WorkSession) & session)
{
    int faults = 0;
    std::string first;
    Interface_CheckIterator checks = session->ModelCheckList();
    for (checks.Start(); checks.More(); checks.Next()) {
        const Handle(Interface_Check) &check = checks.Value();
        faults += check->NbFails();
        if (first.empty() && check->HasFailed())
            first = "entity " + std::to_string(checks.Number()) + ": " + check->CFail(1);
    }
    if (faults > 0)
        step_note(r.build, (std::to_string(faults) +
                            " faults in the file, which may have lost shapes; the first: " + first)
                               .c_str());
}

void set_accuracy(reading &r, const Bnd_Box &box)
{
    r.accuracy = box.IsVoid() ? 0.1 : share * std::sqrt(box.SquareExtent());
    if (!(r.accuracy > 1e-6))
        r.accuracy = 1e-6;
    step_accuracy(r.build, r.accuracy, angle);
}

template <class Reader>
bool read_document(const char *file, Reader &reader, reading &r, char *text, size_t size)
{
    Handle(TDocStd_Document) document = new TDocStd_Document("BinXCAF");
    reader.SetNameMode(true);
    if (reader.ReadFile(file) != IFSelect_RetDone)
        return say(text, size, "is damaged, or not what its name says: OpenCASCADE cannot read it");
    if (!reader.Transfer(document))
        return say(text, size, "holds no shape that OpenCASCADE can make");
    r.shapes = XCAFDoc_DocumentTool::ShapeTool(document->Main());
    TDF_LabelSequence roots;
    r.shapes->GetFreeShapes(roots);
    Bnd_Box box;
    for (int i = 1; i <= roots.Length(); i++)
        BRepBndLib::Add(XCAFDoc_ShapeTool::GetShape(roots.Value(i)), box, false);
    set_accuracy(r, box);
    for (int i = 1; i <= roots.Length(); i++)
        walk(r, roots.Value(i), TopLoc_Location(), "");
    return r.place_count > 0 || say(text, size, "holds no surface");
}

bool read_brep(const char *file, reading &r, char *text, size_t size)
{
    TopoDS_Shape shape;
    BRep_Builder builder;
    if (!BRepTools::Read(shape, file, builder) || shape.IsNull())
        return say(text, size, "is damaged, or no BREP file: OpenCASCADE cannot read it");
    Bnd_Box box;
    BRepBndLib::Add(shape, box, false);
    set_accuracy(r, box);
    put_shape(r, shape, TopLoc_Location(), "");
    return r.place_count > 0 || say(text, size, "holds no surface");
}

bool read_any(const char *file, reading &r, char *text, size_t size)
{
    const std::string format = step_format_name(file);
    if (format == "BREP")
        return read_brep(file, r, text, size);
    if (format == "IGES") {
        IGESCAFControl_Reader reader;
        return read_document(file, reader, r, text, size);
    }
    STEPCAFControl_Reader reader;
    bool fine = read_document(file, reader, r, text, size);
    if (fine)
        note_faults(r, reader.ChangeReader().WS());
    return fine;
}

} // namespace

bool step_read_occt(const char *file, step_build *build, char *text, size_t size)
{
    try {
        Message::DefaultMessenger()->ChangePrinters().Clear(); // it would print to the standard output
        reading r;
        r.build = build;
        return read_any(file, r, text, size);
    } catch (const Standard_Failure &failure) {
        return say(text, size, (std::string("OpenCASCADE gave up: ") + failure.GetMessageString()).c_str());
    } catch (const std::exception &failure) {
        return say(text, size, (std::string("OpenCASCADE gave up: ") + failure.what()).c_str());
    }
}
