#include "run/world.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "io/checkpoint/checkpoint.h"
#include "process/core/stepping.h"
#include "run/kinds.h"

namespace scree {
namespace {

constexpr const char* commands_block = "commands";
constexpr const char* fingerprint_block = "fingerprint";

// Whether a process is made from what this key of its table says. What else stands in the table is
// part of the terrain: the bubbles that rocks know by number.
bool makes_process(const ProcessKind& kind, const std::string& key) {
  const std::vector<ParameterInfo>& known = kind.parameters->list();
  return key == "enabled" || key == "every" || kind.lists.contains(key) ||
         std::any_of(known.begin(), known.end(),
                     [&](const ParameterInfo& parameter) { return parameter.name == key; });
}

Effect effect_of(const std::string& key) {
  // How long a scene runs and what it writes is its owner's matter here.
  if (key == "scene.name" || key == "scene.steps" || key == "scene.time") return Effect::live;
  const std::size_t dot = key.find('.');
  if (dot == std::string::npos) return Effect::new_world;
  for (const ProcessKind& kind : process_kinds())
    if (kind.name == key.substr(0, dot) && makes_process(kind, key.substr(dot + 1)))
      return Effect::remade;
  return Effect::new_world;
}

// One command a line.
std::string log_text(const std::vector<Command>& commands) {
  std::string lines;
  for (const Command& command : commands) lines += command_text(command) + "\n";
  return lines;
}

std::vector<Command> commands_in(const BlockReader& blocks) {
  std::vector<Command> commands;
  if (!blocks.has(commands_block)) return commands;
  std::string lines(blocks.size(commands_block), '\0');
  blocks.read(commands_block, lines.data(), lines.size());
  for (std::size_t from = 0; from < lines.size();) {
    const std::size_t to = std::min(lines.find('\n', from), lines.size());
    commands.push_back(command_from(lines.substr(from, to - from)));
    from = to + 1;
  }
  return commands;
}

// UsageError for settings that make no sense together. What a scene would write does not matter
// here.
void check_settings(Scene scene) {
  scene.outputs.clear();
  run_kind(scene).check(scene, {});
}

}  // namespace

struct World::Parts {
  Scene start, now;  // the scene as it was opened, and with the settings that were changed since
  Execution execution;
  device::DevicePtr device;
  std::unique_ptr<RunModel> model;
  std::uint64_t fingerprint = 0;  // of the start
  std::vector<Command> commands;
  std::string failure;

  // What is said while this world works goes to its own log.
  template <class Work>
  auto work(const Work& work) const {
    const LogScope listens(execution.log);
    return work();
  }
  // The same of work after which the world is whole or not to be used any more.
  template <class Work>
  auto change(const Work& work) {
    const LogScope listens(execution.log);
    try {
      return work();
    } catch (const UsageError&) {
      throw;  // refused before anything was changed
    } catch (const std::exception& error) {
      failure = error.what();
      throw;
    }
  }

  bool cancelled() const { return execution.cancel != nullptr && execution.cancel->cancelled(); }

  // The scene with another setting; UsageError for one that makes no sense in it.
  Scene changed(const std::string& key, const std::string& value) const {
    Scene scene = now;
    scene.apply_override(key + "=" + value);
    check_settings(scene);
    return scene;
  }

  void expect_whole() const {
    if (!failure.empty())
      throw UsageError(text("this world is unstable and can only be restored: ", failure));
  }

  void save(BlockWriter& blocks) const {
    blocks.add_integer(fingerprint_block, static_cast<std::int64_t>(fingerprint));
    model->save(blocks);
  }
};

World::World(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

World World::open(const Scene& scene, const Execution& execution) {
  auto parts = std::make_unique<Parts>();
  parts->start = scene;
  // Nothing is written here, but a scene that shows masks keeps them.
  for (OutputSettings& output : parts->start.outputs)
    output.every = 0, output.picture.before = false;
  parts->execution = execution;
  parts->work([&] {
    const CancelScope stops(execution.cancel);
    const RunKind& kind = run_kind(scene);
    check_settings(parts->start);
    device::DeviceOptions options;
    options.selector = execution.device;
    options.threads = execution.threads;
    parts->device = execution.opened ? execution.opened : device::open_device(options);
    parts->model = kind.make(parts->start, parts->device);
    parts->model->prepare(execution.progress, execution.cancel);
    parts->fingerprint = parts->model->fingerprint();
  });
  parts->now = parts->start;
  return World(std::move(parts));
}

// ---- stepping

Stepped World::step(std::uint64_t steps) {
  parts_->expect_whole();
  return parts_->change([&] {
    for (std::uint64_t i = 0; i < steps; ++i) {
      if (parts_->cancelled()) return Stepped::cancelled;
      try {
        parts_->model->step();
      } catch (const Unstable& error) {
        parts_->failure = error.what();
        return Stepped::unstable;
      }
      if (parts_->execution.progress != nullptr)
        parts_->execution.progress->update(static_cast<long long>(i + 1),
                                           static_cast<long long>(steps), "steps");
    }
    return Stepped::done;
  });
}

const std::string& World::failure() const { return parts_->failure; }
std::uint64_t World::steps_done() const { return parts_->model->steps_done(); }
double World::time() const { return parts_->model->time(); }
double World::dt() const { return parts_->model->dt(); }

// ---- looking

const Scene& World::scene() const { return parts_->now; }
Fields World::fields() const { return parts_->model->fields(); }

Snapshot World::snapshot(const std::vector<std::string>& fields, const Box& box) const {
  return parts_->work([&] {
    const Fields known = parts_->model->fields();
    std::vector<FieldData> data;
    for (const std::string& name : fields) {
      const FieldInfo& info = field_of(known, name);
      const Box wanted = box.empty() ? info.shape : box;
      check_box(info.shape, wanted);
      data.push_back(parts_->model->read(info, wanted));
    }
    return Snapshot(steps_done(), time(), std::move(data));
  });
}

std::uint64_t World::hash(const std::string& field) const {
  const std::map<std::string, std::uint64_t> all = hashes();
  const auto found = all.find(field);
  if (found != all.end()) return found->second;
  std::string known;
  for (const auto& one : all) known += (known.empty() ? "" : ", ") + one.first;
  throw UsageError(text("hash of '", field, "': expected one of ", known));
}

std::map<std::string, std::uint64_t> World::hashes() const { return parts_->model->hashes(); }
std::vector<Balance> World::balances() const { return parts_->model->balances(); }

// ---- changing

Receipt World::write(const std::string& field, const Box& box, std::vector<double> values) {
  return apply({steps_done(), WriteCommand{field, box, std::move(values)}});
}

Effect World::set(const std::string& key, const std::string& value) {
  const Effect effect = effect_of(key);
  parts_->changed(key, value);
  if (effect != Effect::new_world) apply({steps_done(), SetCommand{key, value}});
  return effect;
}

Effect World::set(const std::string& key, double value) { return set(key, parameter_text(value)); }

Receipt World::apply(const Command& command) {
  Parts& p = *parts_;
  p.expect_whole();
  if (command.step != steps_done())
    throw UsageError(
        text("a command of step ", command.step, ": this world has done ", steps_done(), " steps"));
  Receipt receipt = p.change([&]() -> Receipt {
    if (const auto* write = std::get_if<WriteCommand>(&command.what))
      return p.model->write(field_of(p.model->fields(), write->field), write->box, write->values);
    const auto& set = std::get<SetCommand>(command.what);
    if (effect_of(set.key) == Effect::new_world)
      throw UsageError(text(set.key, ": needs a new world, opened with it"));
    Scene changed = p.changed(set.key, set.value);
    if (effect_of(set.key) == Effect::remade) p.model->set_processes(changed);
    p.now = std::move(changed);
    return {};
  });
  p.commands.push_back(command);
  return receipt;
}

const std::vector<Command>& World::commands() const { return parts_->commands; }

// ---- keeping

WorldState World::save() const {
  WorldState state;
  parts_->save(state.blocks);
  state.commands = parts_->commands;
  return state;
}

void World::save(const std::filesystem::path& file) const {
  io::CheckpointWriter writer(file);
  parts_->save(writer);
  const std::string lines = log_text(parts_->commands);
  writer.add(commands_block, lines.data(), lines.size());
  writer.commit();
}

void World::restore(const WorldState& state) { restore(state.blocks, state.commands); }

void World::restore(const std::filesystem::path& file) {
  const io::CheckpointReader reader(file);
  restore(reader, commands_in(reader));
}

void World::restore(const BlockReader& blocks, std::vector<Command> commands) {
  Parts& p = *parts_;
  if (static_cast<std::uint64_t>(blocks.integer(fingerprint_block)) != p.fingerprint)
    throw UsageError(text(blocks.title(), ": is of a world of another scene"));
  p.work([&] {
    // Into a model of its own: this world stays as it is where that fails.
    Scene then = p.start;
    for (const Command& command : commands)
      if (const auto* set = std::get_if<SetCommand>(&command.what))
        then.apply_override(set->key + "=" + set->value);
    std::unique_ptr<RunModel> model = p.model->twin(then);
    model->restore(blocks);
    p.model = std::move(model);
    p.now = std::move(then);
  });
  p.commands = std::move(commands);
  p.failure.clear();
}

World World::clone() const {
  const Parts& p = *parts_;
  auto parts = std::make_unique<Parts>();
  parts->start = p.start;
  parts->now = p.now;
  parts->execution = p.execution;
  parts->device = p.device;
  parts->fingerprint = p.fingerprint;
  parts->commands = p.commands;
  parts->failure = p.failure;
  p.work([&] {
    parts->model = p.model->twin(p.now);
    parts->model->restore(save().blocks);
  });
  return World(std::move(parts));
}

}  // namespace scree
