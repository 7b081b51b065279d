// The command line: which words there are. What they do stands in one file a command.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>

#include "base/error.h"
#include "base/suggest.h"
#include "commands/commands.h"

#ifndef SCREE_VERSION
#define SCREE_VERSION "unknown"
#endif

namespace scree::cli {
namespace {

// The work that the parsed command line asks for.
using Work = std::function<int(Console&)>;

struct Words {
  Speech speech;
  RunArguments run;
  RunArguments weather;
  ErodeArguments erode;
  GenerateArguments generate;
  MeshArguments mesh;
  RenderArguments render;
  InfoArguments info;
  ParamsArguments params;
  CompareArguments compare;
  BenchArguments bench;
  Work work;
};

// Values are words here; each command checks its own, so that all messages read alike.
CLI::Option* option(CLI::App* to, const std::string& names, std::string& value, const char* kind,
                    const std::string& help) {
  return to->add_option(names, value, help)->type_name(kind)->take_last();
}

CLI::Option* options(CLI::App* to, const std::string& names, std::vector<std::string>& values,
                     const char* kind, const std::string& help) {
  return to->add_option(names, values, help)->type_name(kind)->allow_extra_args(false);
}

void add_device(CLI::App* to, DeviceWords& words) {
  option(to, "--device", words.device, "D", "auto, cpu, opencl or opencl:N (scree devices)")
      ->group("Device");
  option(to, "--threads", words.threads, "N", "CPU threads; all cores unless given")
      ->group("Device");
  to->add_flag("--inexact", words.inexact, "Accept a GPU that does not round correctly")
      ->group("Device");
}

void add_input(CLI::App* to, InputWords& words) {
  option(to, "--cell", words.cell, "M", "Metres between cells, where the file does not say")
      ->group("Input");
  option(to, "--height-range", words.height_range, "LO,HI",
         "Heights of a plain image's lowest and highest sample")
      ->group("Input");
  option(to, "--nodata", words.nodata, "X", "Value that means nodata; nan is one")->group("Input");
  option(to, "--band", words.band, "N", "Which band, from 1")->group("Input");
  option(to, "--channel", words.channel, "NAME", "EXR channel or NetCDF variable")->group("Input");
  option(to, "--raw-size", words.raw_size, "WxH", "Size of a raw file")->group("Input");
  option(to, "--raw-type", words.raw_type, "T", "u8 i8 u16 i16 u32 i32 f32 f64")->group("Input");
  to->add_flag("--big-endian", words.big_endian, "Byte order of a raw file")->group("Input");
}

CLI::App* command(CLI::App& app, Words& words, const char* name, const char* help, Work work) {
  CLI::App* sub = app.add_subcommand(name, help)->group("Commands");
  sub->set_help_flag("-h,--help", "This text");
  sub->add_flag("--json", words.speech.json, "One JSON object on stdout")->group("Output");
  sub->add_flag("-q,--quiet", words.speech.quiet, "No progress, no notes")->group("Output");
  sub->allow_extras();
  sub->callback([&words, work = std::move(work)] { words.work = work; });
  return sub;
}

// What changes a scene, and where it runs.
void add_changes(CLI::App* sub, RunArguments& a, const char* group = "Options") {
  option(sub, "--steps", a.steps, "N", "Steps, instead of the scene's")->group(group);
  option(sub, "--size", a.size, "WxH", "Cells, over the same metres; a DEM is resampled")
      ->group(group);
  option(sub, "--seed", a.seed, "N", "Seed, instead of the scene's")->group(group);
  options(sub, "--set", a.set, "T.KEY=V", "Any key of the scene: --set water.rain=\"30 mm/h\"")
      ->group(group);
  add_device(sub, a.device);
}

// Where outputs go, and where a run goes on.
void add_folder(CLI::App* sub, RunArguments& a) {
  option(sub, "-o,--out", a.out, "DIR", "Folder for outputs; out/SCENE unless given")
      ->group("Output");
  sub->add_flag("--allow-outside", a.allow_outside, "Outputs may lie outside that folder")
      ->group("Output");
  option(sub, "--checkpoint-every", a.checkpoint_every, "N", "Write a checkpoint every N steps")
      ->group("Checkpoints");
  option(sub, "--checkpoint-seconds", a.checkpoint_seconds, "S", "Write one every S seconds")
      ->group("Checkpoints");
  option(sub, "--validate", a.validate, "N",
         "Every N steps, restore what would be saved, step that too, and compare")
      ->group("Checkpoints");
  sub->add_flag("--resume", a.resume, "Go on from the newest whole checkpoint in DIR")
      ->group("Checkpoints");
}

void add_run(CLI::App& app, Words& words) {
  RunArguments& a = words.run;
  CLI::App* sub = command(app, words, "run", "Run a scene from beginning to end",
                          [&a](Console& console) { return run(console, a); });
  option(sub, "SCENE", a.scene, "", "A scene file, or a preset by name")->required();
  option(sub, "--engine", a.engine, "E", "Also a heightmap for unreal, unity or godot")
      ->group("Output");
  add_changes(sub, a);
  add_folder(sub, a);
  sub->footer(
      "Examples:\n"
      "  scree run examples/alpine.toml\n"
      "  scree run alpine --size 2048x2048 --set hydraulic.capacity=2 --out out/carved\n"
      "  scree run canyon --checkpoint-seconds 60      # and, after a power cut:\n"
      "  scree run canyon --checkpoint-seconds 60 --resume\n\n"
      "Ctrl-C stops after the step and writes a checkpoint; a second Ctrl-C kills.");
}

void add_weather(CLI::App& app, Words& words) {
  RunArguments& a = words.weather;
  CLI::App* sub = command(app, words, "weather", "Weather a scene of voxels",
                          [&a](Console& console) { return weather(console, a); });
  option(sub, "SCENE", a.scene, "", "A scene file with [terrain] kind = \"voxels\"")->required();
  option(sub, "--steps", a.steps, "N", "Steps, instead of the scene's");
  option(sub, "--size", a.size, "WxHxD", "Voxels, in the same box");
  option(sub, "--seed", a.seed, "N", "Seed, instead of the scene's");
  options(sub, "--set", a.set, "T.KEY=V", "Any key of the scene: --set weathering.repose=30");
  add_folder(sub, a);
  add_device(sub, a.device);
  sub->footer(
      "Examples:\n"
      "  scree weather examples/voxels/column.toml\n"
      "  scree weather examples/voxels/goblins.toml --size 256x256x128 --steps 40\n\n"
      "Ctrl-C stops after the step and writes a checkpoint; a second Ctrl-C kills.");
}

void add_erode(CLI::App& app, Words& words) {
  ErodeArguments& a = words.erode;
  CLI::App* sub = command(app, words, "erode", "Erode a raster and write it back",
                          [&a](Console& console) { return erode(console, a); });
  option(sub, "IN", a.in, "", "Any raster: GeoTIFF, PNG, HGT, ASCII grid, NetCDF, EXR, RAW, NPY")
      ->required();
  option(sub, "-o,--out", a.out, "OUT", "Result; its extension decides the format")
      ->required()
      ->group("Output");
  option(sub, "--relief", a.relief, "PNG", "Also a shaded picture")->group("Output");
  option(sub, "--masks", a.masks, "DIR", "Also every mask as GeoTIFF")->group("Output");
  option(sub, "--engine", a.engine, "E", "Also a heightmap for unreal, unity or godot")
      ->group("Output");
  option(sub, "--preset", a.preset, "P", "Whose processes: alpine unless given");
  option(sub, "--steps", a.steps, "N", "Steps, instead of the preset's");
  option(sub, "--seed", a.seed, "N", "Seed, instead of the preset's");
  options(sub, "--set", a.set, "T.KEY=V", "Any key of a scene: --set thermal.talus=40");
  option(sub, "--sea", a.sea, "M", "Level of the sea, which stays as it is; auto or none");
  sub->add_flag("--resume", a.resume, "Go on where Ctrl-C stopped it");
  add_input(sub, a.input);
  add_device(sub, a.device);
  sub->footer(
      "Examples:\n"
      "  scree erode dem.tif -o eroded.tif --relief eroded.png\n"
      "  scree erode height.png -o height.exr --cell 4 --height-range 0,1200 --preset canyon\n"
      "  scree erode alps.tif -o alps.png --engine unreal --masks masks/\n\n"
      "Georeference, extent and nodata are kept. A DEM with a coordinate system whose lowest "
      "height\n"
      "is a wide, perfectly flat area is taken to have a sea there (--sea auto).");
}

void add_generate(CLI::App& app, Words& words) {
  GenerateArguments& a = words.generate;
  CLI::App* sub = command(app, words, "generate", "Make terrain out of noise or a shape",
                          [&a](Console& console) { return generate(console, a); });
  option(sub, "KIND", a.kind, "", "fbm, ridged, mountain, cone, ... (scree params generate)")
      ->required();
  option(sub, "-o,--out", a.out, "OUT", "Raster; its extension decides the format")
      ->required()
      ->group("Output");
  option(sub, "--size", a.size, "WxH", "Cells; 512x512 unless given");
  option(sub, "--cell", a.cell, "M", "Metres between cells; 10 unless given");
  option(sub, "--seed", a.seed, "N", "Another number, another landscape");
  options(sub, "--set", a.set, "KEY=V", "A parameter: --set relief=\"1.2 km\"");
  add_device(sub, a.device);
  sub->footer(
      "Examples:\n"
      "  scree generate mountain -o mountain.tif --size 1024x1024 --seed 7\n"
      "  scree generate cone -o cone.png --cell 2 --set relief=300 --set width=0.6");
}

void add_mesh(CLI::App& app, Words& words) {
  MeshArguments& a = words.mesh;
  CLI::App* sub = command(app, words, "mesh", "Triangles of a terrain, for other programs",
                          [&a](Console& console) { return mesh(console, a); });
  option(sub, "IN", a.in, "",
         "A raster, a checkpoint, the output folder of a run, or a volume (VDB)")
      ->required();
  option(sub, "-o,--out", a.out, "OUT", "Mesh; .glb, .obj, .ply or .stl decides the format")
      ->required()
      ->group("Output");
  option(sub, "--level", a.level, "N", "Every 2^N-th cell; 0, which is every cell, unless given")
      ->group("Detail");
  option(sub, "--target-triangles", a.target_triangles, "N",
         "At most so many, where they matter most; borders stay")
      ->group("Detail");
  option(sub, "--levels", a.levels, "N",
         "OUT_LOD0 to OUT_LOD(N-1), each with a quarter of the triangles; borders of heights stay")
      ->group("Detail");
  option(sub, "--view", a.view, "X,Y[,Z]",
         "Less detail the farther from this place (metres); of a volume with Z")
      ->group("Detail");
  option(sub, "--detail", a.detail, "D", "Cells are seen from D times their size; 50 unless given")
      ->group("Detail");
  option(sub, "--colour,--color", a.colours.colour, "C",
         "relief (unless given), none, a field such as slope, or a raster")
      ->group("Colour");
  option(sub, "--palette", a.colours.palette, "P",
         "alpine, desert, volcanic, meadow or plain; the run's own unless given")
      ->group("Colour");
  sub->add_flag("--water", a.colours.water, "The surface of the water, not the ground under it");
  option(sub, "--grid", a.grid, "NAME", "Which grid of a VDB; density unless given")
      ->group("Volumes");
  option(sub, "--isovalue", a.isovalue, "V",
         "Density at the surface, 0.5 unless given; of a level set, metres outwards")
      ->group("Volumes");
  option(sub, "--cut", a.cut, "X,Y,X,Y",
         "Keep what lies to the left of that line, metres from the south-west corner")
      ->group("Layers");
  option(sub, "--cell-z", a.cell_z, "M",
         "Metres between samples up a column; a hundredth of the highest unless given")
      ->group("Layers");
  add_input(sub, a.input);
  sub->footer(
      "Examples:\n"
      "  scree mesh dem.tif -o dem.glb --level 2\n"
      "  scree mesh out/alpine -o alpine.ply --target-triangles 200000\n"
      "  scree mesh out/alpine -o alpine.glb --levels 4\n"
      "  scree mesh dem.tif -o dem.obj --colour slope --view 1200,-300\n"
      "  scree mesh rock.vdb -o rock.glb --isovalue 0.4\n"
      "  scree mesh rock.vdb -o rock.glb --levels 3\n\n"
      "Metres. The middle of the terrain is at x = 0, y = 0; the origin that is printed says where "
      "it\n"
      "lies on Earth. GLB has y up, as glTF wants; the others have z up.");
}

void add_render(CLI::App& app, Words& words) {
  RenderArguments& a = words.render;
  CLI::App* sub = command(app, words, "render", "A picture of a terrain, mesh or volume",
                          [&a](Console& console) { return render(console, a); });
  option(sub, "IN", a.in, "",
         "A raster, checkpoint, mesh, volume, folder of a run, or a scene, which is run first")
      ->required();
  option(sub, "-o,--out", a.out, "PNG", "The picture; a turn may be an .mp4")
      ->required()
      ->group("Output");
  option(sub, "--pixels", a.pixels, "WxH", "Its size; 1280x800 unless given")->group("Output");
  option(sub, "--samples", a.samples, "N", "Samples along a pixel's side, 1 to 4; 2 unless given")
      ->group("Output");
  option(sub, "--view", a.view, "V",
         "beauty (unless given), wireframe, field:NAME, relief or section")
      ->group("View");
  option(sub, "--camera", a.camera, "C",
         "top, low, azimuth=A,altitude=A,field=A,zoom=Z (degrees), from=X:Y:Z,at=X:Y:Z (metres; "
         "+Z: above the ground)")
      ->group("View");
  option(sub, "--sun", a.sun, "A,A", "Azimuth and altitude, degrees; 300,34 unless given")
      ->group("View");
  option(sub, "--haze", a.haze, "H", "0 is none; 1 unless given")->group("View");
  option(sub, "--exposure", a.exposure, "E", "2 is twice as bright; 1 unless given")->group("View");
  option(sub, "--exaggeration", a.exaggeration, "X", "Of heights; 1 unless given")->group("View");
  option(sub, "--palette", a.palette, "P",
         "alpine, desert, volcanic, meadow or plain; the run's own unless given")
      ->group("View");
  option(sub, "--turntable", a.turntable, "N", "N pictures around it: OUT-000.png and so on")
      ->group("View");
  option(sub, "--before", a.before, "IN",
         "Another input beside it, or start: what the scene began with")
      ->group("View");
  sub->add_flag("--dry", a.dry, "Without its water, as water = false of a scene's picture")
      ->group("View");
  option(sub, "--cut", a.cut, "X,Y,X,Y",
         "Of layers: keeps what lies to the left of that line, metres from the south-west corner")
      ->group("View");
  option(sub, "--range", a.range, "LO,HI", "Values at the ends of a field's colours")
      ->group("Views that are read");
  sub->add_flag("--log", a.logarithmic, "A field's colours by its logarithm")
      ->group("Views that are read");
  option(sub, "--contours", a.contours, "M", "Metres between the contours of a relief")
      ->group("Views that are read");
  option(sub, "--glyphs", a.glyphs, "G", "velocity or normals: arrows on a field or relief")
      ->group("Views that are read");
  option(sub, "--line", a.line, "X:Y,X:Y", "A section's ends, metres east and north of the middle")
      ->group("Views that are read");
  add_changes(sub, a.run, "Scenes");
  add_input(sub, a.input);
  sub->footer(
      "Examples:\n"
      "  scree render dem.tif -o dem.png\n"
      "  scree render examples/alpine.toml -o alpine.png\n"
      "  scree render alpine -o quick.png --size 256x256 --set water.rain=\"60 mm/h\"\n"
      "  scree render out/alpine -o alpine.png --pixels 1920x1080 --sun 260,20\n"
      "  scree render out/canyon -o canyon.png --camera azimuth=150,altitude=25,zoom=1.5\n"
      "  scree render rock.vdb -o rock.png --camera low\n"
      "  scree render out/alpine -o slope.png --view field:slope\n"
      "  scree render dem.tif -o map.png --view relief --contours 50\n"
      "  scree render rock.vdb -o cut.png --view section --line -20:0,20:0\n\n"
      "Metres of the camera are those of the picture: x east and y north of the terrain's middle,\n"
      "z above its lowest place. Needs OpenGL 4.5; Mesa's software will do, no screen is needed.");
}

void add_info(CLI::App& app, Words& words) {
  InfoArguments& a = words.info;
  CLI::App* sub =
      command(app, words, "info", "Facts about a raster, scene, checkpoint or output folder",
              [&a](Console& console) { return info(console, a); });
  option(sub, "FILE", a.file, "", "What to look at")->required();
  sub->add_flag("--hydrology", a.hydrology, "Measure how water would run over it");
  add_input(sub, a.input);
  sub->footer(
      "Examples:\n"
      "  scree info dem.tif\n"
      "  scree info out/alpine/height.tif --hydrology\n"
      "  scree info alpine");
}

void add_small(CLI::App& app, Words& words) {
  command(app, words, "devices", "Processors that can run a scene", devices);
  command(app, words, "fields", "Every field and mask, with unit and meaning", fields);
  ParamsArguments& p = words.params;
  CLI::App* sub = command(app, words, "params", "The parameters of a process",
                          [&p](Console& console) { return params(console, p); });
  option(sub, "PROCESS", p.process, "", "A process, spring, stone or generate; all unless given");
  sub->add_flag("--markdown", p.markdown, "As a Markdown table")->group("Output");
  sub->footer("Example:\n  scree params hydraulic");
}

void add_compare(CLI::App& app, Words& words) {
  CompareArguments& a = words.compare;
  CLI::App* sub = command(app, words, "compare", "Same bits? If not, where and by how much",
                          [&a](Console& console) { return compare(console, a); });
  option(sub, "A", a.a, "", "A raster, a checkpoint, or a folder with a report.json")->required();
  option(sub, "B", a.b, "", "Another one")->required();
  add_input(sub, a.input);
  sub->footer(
      "Exits with 0 where they are the same, 1 where not.\n\n"
      "Example:\n"
      "  scree run alpine --device cpu --out a && scree run alpine --device opencl --out b\n"
      "  scree compare a b");
}

void add_bench(CLI::App& app, Words& words) {
  BenchArguments& a = words.bench;
  CLI::App* sub = command(app, words, "bench", "Speed of every process beside the memory limit",
                          [&a](Console& console) { return bench(console, a); });
  options(sub, "--device", a.devices, "D", "cpu, opencl:N; may be repeated");
  options(sub, "--size", a.sizes, "N", "Cells a side; may be repeated");
  option(sub, "--threads", a.threads, "N", "CPU threads; all cores unless given");
  option(sub, "--seconds", a.seconds, "S", "Least time measured for each line; 1 unless given");
  option(sub, "--only", a.only, "TEXT", "Only what has this in its name");
  option(sub, "--voxels", a.voxels, "WxHxD",
         "Box of the weathering runs, 512x512x256 unless given; none: no such runs");
  option(sub, "--steps", a.steps, "N", "Of the weathering runs; as many as published unless given");
  sub->footer(
      "Example:\n"
      "  scree bench --only \"water + hydraulic\" --size 2048\n"
      "  scree bench --only Uniform");
}

std::unique_ptr<CLI::App> make_app(Words& words) {
  auto app = std::make_unique<CLI::App>("Scree erodes terrain.", "scree");
  app->set_help_flag("-h,--help", "This text; scree COMMAND --help tells more");
  app->set_version_flag("--version", "scree " SCREE_VERSION, "Which scree this is");
  app->get_formatter()->column_width(34);
  app->get_formatter()->label("SUBCOMMAND", "COMMAND");
  app->get_formatter()->label("REQUIRED", "");
  // With one command found, no later word is taken for another: `scree params generate`.
  app->require_subcommand(0, 1);
  add_run(*app, words);
  add_weather(*app, words);
  add_erode(*app, words);
  add_generate(*app, words);
  add_mesh(*app, words);
  add_render(*app, words);
  add_info(*app, words);
  add_compare(*app, words);
  add_small(*app, words);
  add_bench(*app, words);
  app->footer(
      "Examples:\n"
      "  scree run alpine                          # a preset, into out/alpine\n"
      "  scree erode dem.tif -o eroded.tif         # a DEM of your own\n"
      "  scree info eroded.tif --hydrology\n\n"
      "Exit codes: 0 done, 1 failed, 2 bad usage, 130 stopped by Ctrl-C.");
  return app;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands({})) names.push_back(sub->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* known : app.get_options({})) {
    for (const std::string& name : known->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : known->get_snames()) names.push_back("-" + name);
  }
  return names;
}

void refuse_unknown_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2) throw UsageError("no command given (scree --help lists them)");
  const std::string word = argv[1];
  const std::vector<std::string> known = command_names(app);
  if (word.starts_with("-") || std::find(known.begin(), known.end(), word) != known.end()) return;
  throw UsageError(text("unknown command '", word, "'", did_you_mean(word, known),
                        " (scree --help lists them)"));
}

void refuse_extras(const CLI::App& sub) {
  const std::vector<std::string> extras = sub.remaining();
  if (extras.empty()) return;
  const std::string word = extras.front().substr(0, extras.front().find('='));
  const bool is_option = word.starts_with("-") && word.size() > 1;
  throw UsageError(text(sub.get_name(), ": ", is_option ? "unknown option '" : "unexpected '", word,
                        "'", is_option ? did_you_mean(word, option_names(sub)) : "", " (scree ",
                        sub.get_name(), " --help tells more)"));
}

// What the parser says, as one line of ours.
[[noreturn]] void refuse(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> chosen =
      const_cast<CLI::App&>(app).get_subcommands([](CLI::App* sub) { return sub->parsed(); });
  // A misspelt option explains what is missing better than what is missing.
  for (const CLI::App* sub : chosen) refuse_extras(*sub);
  const std::string name = chosen.empty() ? "" : chosen.front()->get_name();
  throw UsageError(text(name.empty() ? "" : name + ": ", error.what(), " (scree ",
                        name.empty() ? "" : name + " ", "--help tells more)"));
}

// False where the parser has answered already: --help, --version.
bool parse(CLI::App& app, int argc, char** argv) {
  refuse_unknown_command(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {
    app.exit(done);
    return false;
  } catch (const CLI::ParseError& error) {
    refuse(app, error);
  }
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  if (chosen.empty()) throw UsageError("no command given (scree --help lists them)");
  for (const CLI::App* sub : chosen) refuse_extras(*sub);
  return true;
}

bool asks_for_json(int argc, char** argv) {
  return std::any_of(argv + 1, argv + argc,
                     [](const char* word) { return std::string_view(word) == "--json"; });
}

// Runs `work`; every failure is one line and an exit code.
int guarded(Console& console, const std::function<int()>& work) {
  try {
    return console.finish(work());
  } catch (const UsageError& error) {
    return console.fail(error.what(), 2);
  } catch (const Cancelled& error) {
    return console.fail(error.what(), Interrupt::exit_code());
  } catch (const std::bad_alloc&) {
    return console.fail("not enough memory for this; try fewer cells or pixels", 1);
  } catch (const std::exception& error) {
    return console.fail(error.what(), 1);
  }
}

int run_program(int argc, char** argv) {
  Words words;
  const std::unique_ptr<CLI::App> app = make_app(words);
  bool asked = false;
  {
    Console console({asks_for_json(argc, argv), false});
    if (argc < 2) std::fputs(app->help().c_str(), stdout);
    const int code = guarded(console, [&] {
      asked = parse(*app, argc, argv);
      return 0;
    });
    if (code != 0 || !asked) return code;
  }
  Console console(words.speech);
  return guarded(console, [&] { return words.work(console); });
}

}  // namespace
}  // namespace scree::cli

int main(int argc, char** argv) {
  // Where there is no OpenGL, one line says so: ours.
  ::setenv("EGL_LOG_LEVEL", "fatal", 0);
  // A file that may grow no further (`ulimit -f`) fails to be written, and leaves no part of it.
  std::signal(SIGXFSZ, SIG_IGN);
  // A dead reader (`scree params | head`) is found when we write, and Ctrl-C is handled: nothing
  // else needs setting up.
  return scree::cli::run_program(argc, argv);
}
