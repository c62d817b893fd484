// Writes CAD files by OpenCASCADE itself, for test/tool/step.bash: parts whose clash is known by their making.
//   write two FOLDER: a box of 20 x 20 x 10 mm and a cylinder of radius 4 that stands 2.5 mm deep in its top, each alone and both in
//                     one assembly (STEP), as IGES and BREP; in inches, too
//   write many FOLDER: one bolt that stands five times in an assembly of an assembly
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepTools.hxx>
#include <BRep_Builder.hxx>
#include <IGESControl_Writer.hxx>
#include <Interface_Static.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <STEPCAFControl_Writer.hxx>
#include <STEPControl_Writer.hxx>
#include <TDataStd_Name.hxx>
#include <TDocStd_Document.hxx>
#include <TopoDS_Compound.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <gp_Ax2.hxx>

#include <cstring>
#include <string>

static TopLoc_Location moved(double x, double y, double z)
{
    gp_Trsf t;
    t.SetTranslation(gp_Vec(x, y, z));
    return TopLoc_Location(t);
}

static bool write_document(const Handle(TDocStd_Document) & document, const std::string &file)
{
    STEPCAFControl_Writer writer;
    writer.SetNameMode(true);
    return writer.Transfer(document) && writer.Write(file.c_str()) == IFSelect_RetDone;
}

static bool write_alone(const TopoDS_Shape &shape, const std::string &file)
{
    STEPControl_Writer writer;
    return writer.Transfer(shape, STEPControl_AsIs) == IFSelect_RetDone &&
           writer.Write(file.c_str()) == IFSelect_RetDone;
}

static bool two(const std::string &folder)
{
    TopoDS_Shape box = BRepPrimAPI_MakeBox(20, 20, 10).Shape();
    TopoDS_Shape pin = BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(10, 10, 7.5), gp_Dir(0, 0, 1)), 4, 30).Shape();
    Handle(TDocStd_Document) document = new TDocStd_Document("BinXCAF");
    Handle(XCAFDoc_ShapeTool) shapes = XCAFDoc_DocumentTool::ShapeTool(document->Main());
    TDF_Label assembly = shapes->NewShape(), a = shapes->AddShape(box, false),
              b = shapes->AddShape(pin, false);
    TDataStd_Name::Set(assembly, "Press");
    TDataStd_Name::Set(a, "plate");
    TDataStd_Name::Set(b, "pin");
    TDF_Label at_a = shapes->AddComponent(assembly, a, moved(100, 0, 0)),
              at_b = shapes->AddComponent(assembly, b, moved(100, 0, 0));
    TDataStd_Name::Set(at_a, "plate 1");
    TDataStd_Name::Set(at_b, TCollection_ExtendedString("pin \xc3\xbc", true)); // UTF-8
    shapes->UpdateAssemblies();
    BRep_Builder builder;
    TopoDS_Compound both;
    builder.MakeCompound(both);
    builder.Add(both, box);
    builder.Add(both, pin);
    IGESControl_Writer iges("MM", 1);
    bool fine = write_document(document, folder + "/press.step") && write_alone(box, folder + "/plate.stp") &&
                write_alone(pin, folder + "/pin.stp") &&
                BRepTools::Write(both, (folder + "/both.brep").c_str()) && iges.AddShape(box) &&
                iges.AddShape(pin) && iges.Write((folder + "/both.igs").c_str());
    Interface_Static::SetCVal("write.step.unit", "INCH");
    return fine && write_alone(box, folder + "/inches.step");
}

static bool many(const std::string &folder)
{
    Handle(TDocStd_Document) document = new TDocStd_Document("BinXCAF");
    Handle(XCAFDoc_ShapeTool) shapes = XCAFDoc_DocumentTool::ShapeTool(document->Main());
    TDF_Label top = shapes->NewShape(), row = shapes->NewShape();
    TDF_Label bolt = shapes->AddShape(BRepPrimAPI_MakeCylinder(2, 10).Shape(), false);
    TDataStd_Name::Set(top, "Machine");
    TDataStd_Name::Set(row, "Row");
    TDataStd_Name::Set(bolt, "Bolt");
    for (int i = 0; i < 5; i++)
        TDataStd_Name::Set(shapes->AddComponent(row, bolt, moved(3.5 * i, 0, 0)),
                           ("bolt " + std::to_string(i)).c_str());
    TDataStd_Name::Set(shapes->AddComponent(top, row, moved(0, 0, 5)), "row 1");
    shapes->UpdateAssemblies();
    return write_document(document, folder + "/machine.step");
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    Message::DefaultMessenger()->ChangePrinters().Clear();
    return (std::strcmp(argv[1], "two") == 0 ? two(argv[2]) : many(argv[2])) ? 0 : 1;
}
