#include "run/validated_model.h"

#include <utility>

#include "base/error.h"

namespace scree {
namespace {

constexpr std::size_t most_named = 5;

Blocks blocks_of(const RunModel& model) {
  Blocks blocks;
  model.save(blocks);
  return blocks;
}

bool has_same(const Blocks& blocks, const Blocks& others, const std::string& name) {
  return others.has(name) && blocks.block(name) == others.block(name);
}

// The names of blocks that differ or are in one alone; empty where there are none.
std::string differing(const Blocks& a, const Blocks& b) {
  std::string names;
  std::size_t found = 0;
  const auto look = [&](const Blocks& here, const Blocks& there, bool both) {
    for (const std::string& name : here.names()) {
      if (has_same(here, there, name) || (!both && there.has(name))) continue;
      if (++found <= most_named) names += (names.empty() ? "" : ", ") + name;
    }
  };
  look(a, b, true);
  look(b, a, false);
  return found > most_named ? text(names, " and ", found - most_named, " more") : names;
}

class ValidatedModel : public RunModel {
 public:
  ValidatedModel(std::unique_ptr<RunModel> model, const Scene& scene, std::uint64_t every)
      : model_(std::move(model)), scene_(scene), every_(every) {}

  void check(const OutputSettings& output) const override { model_->check(output); }
  void prepare(Progress* progress, const CancelToken* cancel) override {
    model_->prepare(progress, cancel);
    twin_ = model_->twin(scene_);
  }
  std::uint64_t fingerprint() const override { return model_->fingerprint(); }

  std::uint64_t steps_done() const override { return model_->steps_done(); }
  double time() const override { return model_->time(); }
  double dt() const override { return model_->dt(); }
  void step() override {
    const bool due = model_->steps_done() % every_ == 0;
    if (due) twin_->restore(blocks_of(*model_));
    model_->step();
    if (!due) return;
    twin_->step();
    const std::string wrong = differing(blocks_of(*model_), blocks_of(*twin_));
    if (!wrong.empty())
      throw Error(text("validation: step ", model_->steps_done(),
                       " from a restored state differs in ", wrong));
  }
  void save(BlockWriter& blocks) const override { model_->save(blocks); }
  void restore(const BlockReader& blocks) override { model_->restore(blocks); }
  std::unique_ptr<RunModel> twin(const Scene& scene) const override { return model_->twin(scene); }
  void set_processes(const Scene& scene) override {
    model_->set_processes(scene);
    twin_ = model_->twin(scene);
  }

  Fields fields() const override { return model_->fields(); }
  FieldData read(const FieldInfo& field, const Box& box) const override {
    return model_->read(field, box);
  }
  Receipt write(const FieldInfo& field, const Box& box,
                const std::vector<double>& values) override {
    return model_->write(field, box, values);
  }
  std::vector<Balance> balances() const override { return model_->balances(); }

  std::map<std::string, std::uint64_t> hashes() const override { return model_->hashes(); }
  WrittenOutput write(const OutputSettings& output, const std::filesystem::path& path) override {
    return model_->write(output, path);
  }
  void report(RunResult& result) const override { model_->report(result); }

 private:
  std::unique_ptr<RunModel> model_, twin_;
  Scene scene_;
  std::uint64_t every_;
};

}  // namespace

std::unique_ptr<RunModel> validated(std::unique_ptr<RunModel> model, const Scene& scene,
                                    std::uint64_t every) {
  return std::make_unique<ValidatedModel>(std::move(model), scene, every);
}

}  // namespace scree
