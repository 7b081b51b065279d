// The state of a simulation: every value that its next step reads, by name. What has state shows
// all of it to a visitor in one function, whatever the visitor does with it, so that saving and
// restoring cannot drift apart.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "data/blocks.h"
#include "device/device.h"

namespace scree {

enum class StateType { integer, real, text, bytes, int32, uint32, int64, float32 };

const char* state_type_name(StateType type);
// Bytes of one element.
std::size_t state_type_size(StateType type);

template <class T>
constexpr StateType state_type_of() {
  if constexpr (std::is_same_v<T, float>) return StateType::float32;
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) return StateType::int64;
  if constexpr (std::is_integral_v<T> && sizeof(T) == 4)
    return std::is_signed_v<T> ? StateType::int32 : StateType::uint32;
  return StateType::bytes;
}

class StateVisitor {
 public:
  virtual ~StateVisitor() = default;
  // True where values come from a kept state and go into what is visited.
  virtual bool restores() const { return false; }
  // Whether the kept state has this value; a visitor without a kept state holds nothing.
  virtual bool holds(const std::string& /*name*/) const { return false; }
  // The names in the kept state that begin so.
  virtual std::vector<std::string> names(const std::string& /*prefix*/) const { return {}; }
  // What messages call the kept state.
  virtual std::string title() const { return "state"; }

  // A whole number, kept with 64 bits.
  template <class Integer>
  requires(std::integral<Integer> || std::is_enum_v<Integer>) void integer(const std::string& name,
                                                                           Integer& value) {
    auto kept = static_cast<std::int64_t>(value);
    one(name, StateType::integer, &kept, sizeof kept);
    if (restores()) value = static_cast<Integer>(kept);
  }
  // The same where a state that does not have it means the usual value.
  template <class Integer>
  void integer_unless(const std::string& name, Integer& value, Integer usual) {
    if (holds(name) || (!restores() && value != usual))
      integer(name, value);
    else if (restores())
      value = usual;
  }
  void real(const std::string& name, double& value) {
    one(name, StateType::real, &value, sizeof value);
  }
  void string(const std::string& name, std::string& value);
  // NAME.count, NAME.0, NAME.1, …
  void strings(const std::string& name, std::vector<std::string>& values);

  // What only describes the state, for whoever looks at it alone; never restored.
  void description(const std::string& name, std::int64_t value);
  void description(const std::string& name, double value);
  void description(const std::string& name, const void* data, std::size_t bytes);

  // An array as long as it is now; restoring it makes it as long as it was.
  template <class T>
  void array(const std::string& name, std::vector<T>& values) {
    array<T>(
        name, any_size, [&] { return values; }, [&](std::vector<T> kept) { values = kept; });
  }
  // An array that is kept elsewhere, as on a device: `get` is asked for it, and `put` given what
  // was kept. `count` elements are expected of a kept state, or any number.
  template <class T, class Get, class Put>
  void array(const std::string& name, std::size_t count, Get get, Put put) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto take = [&](const Sink& sink) {
      const std::vector<T> values = get();
      sink(values.data(), values.size() * sizeof(T));
    };
    const auto give = [&](std::size_t bytes, const Source& source) {
      std::vector<T> values(bytes / sizeof(T));
      source(values.data(), bytes);
      put(std::move(values));
    };
    block({name, state_type_of<T>(), count == any_size ? any_size : count * sizeof(T), sizeof(T),
           take, give});
  }
  // A buffer of a device, whole.
  void buffer(const std::string& name, StateType type, device::Device& device,
              device::Buffer& buffer);

  static constexpr auto any_size = static_cast<std::size_t>(-1);

 protected:
  using Sink = std::function<void(const void*, std::size_t)>;
  using Source = std::function<void(void*, std::size_t)>;
  struct Block {
    std::string name;
    StateType type;
    std::size_t bytes;    // as many as there must be, or any_size
    std::size_t element;  // a kept block is a multiple of so many bytes
    std::function<void(const Sink&)> take;
    std::function<void(std::size_t, const Source&)> give;
  };
  virtual void block(const Block& block) = 0;
  friend class StateWithPrefix;

 private:
  void one(const std::string& name, StateType type, void* value, std::size_t bytes);
};

// Puts what it visits under names that begin with a prefix.
class StateWithPrefix final : public StateVisitor {
 public:
  StateWithPrefix(StateVisitor& inner, std::string prefix)
      : inner_(inner), prefix_(std::move(prefix)) {}
  bool restores() const override { return inner_.restores(); }
  bool holds(const std::string& name) const override { return inner_.holds(prefix_ + name); }
  std::vector<std::string> names(const std::string& prefix) const override;
  std::string title() const override { return inner_.title(); }

 private:
  void block(const Block& block) override;
  StateVisitor& inner_;
  std::string prefix_;
};

// Writes blocks. One that the writer has already (a file begins with its step) is left as it is.
class StateSaver final : public StateVisitor {
 public:
  explicit StateSaver(BlockWriter& to) : to_(to) {}

 private:
  void block(const Block& block) override;
  BlockWriter& to_;
};

// Puts back what blocks hold.
class StateRestorer final : public StateVisitor {
 public:
  // `all` must be there; without, what is missing or has another size stays as it is.
  enum class Needs { all, what_fits };
  explicit StateRestorer(const BlockReader& from, Needs needs = Needs::all)
      : from_(from), needs_(needs) {}
  bool restores() const override { return true; }
  bool holds(const std::string& name) const override { return from_.has(name); }
  std::vector<std::string> names(const std::string& prefix) const override;
  std::string title() const override { return from_.title(); }

 private:
  void block(const Block& block) override;
  const BlockReader& from_;
  Needs needs_;
};

struct StateEntry {
  std::string name;
  StateType type;
  std::size_t bytes;
  friend bool operator==(const StateEntry&, const StateEntry&) = default;
};

// What there is, in order.
class StateLister final : public StateVisitor {
 public:
  enum class Asks { names, sizes };  // names alone cost no transfer from a device
  explicit StateLister(Asks asks = Asks::sizes) : asks_(asks) {}
  const std::vector<StateEntry>& entries() const { return entries_; }

 private:
  void block(const Block& block) override;
  Asks asks_;
  std::vector<StateEntry> entries_;
};

// The documented hash (base/hash.h) of each block.
class StateHasher final : public StateVisitor {
 public:
  const std::map<std::string, std::uint64_t>& hashes() const { return hashes_; }

 private:
  void block(const Block& block) override;
  std::map<std::string, std::uint64_t> hashes_;
};

struct StateDifference {
  std::string name;
  StateType type = StateType::bytes;
  std::size_t first = 0;                // the first element that differs
  std::size_t count = 0;                // elements that do, or are in one alone
  std::string visited = {}, kept = {};  // that element as text; empty where it is not there
};

// One line for people.
std::string to_text(const StateDifference& difference);

// Compares what it visits with blocks that a StateSaver wrote.
class StateComparer final : public StateVisitor {
 public:
  explicit StateComparer(const BlockReader& with) : with_(with) {}
  bool holds(const std::string& name) const override { return with_.has(name); }
  std::string title() const override { return with_.title(); }
  // In order of visit, then what only the blocks have.
  std::vector<StateDifference> differences() const;

 private:
  void block(const Block& block) override;
  const BlockReader& with_;
  std::vector<StateDifference> found_;
  std::set<std::string> visited_;
};

// For anything with a function visit(StateVisitor&). A visitor that does not restore leaves all as
// it is.
template <class Visited>
void look_through(const Visited& visited, StateVisitor& visitor) {
  const_cast<Visited&>(visited).visit(visitor);
}

template <class Visited>
Blocks save_state(const Visited& visited) {
  Blocks blocks;
  StateSaver saver(blocks);
  look_through(visited, saver);
  return blocks;
}

template <class Visited>
void restore_state(Visited& visited, const BlockReader& from) {
  StateRestorer restorer(from);
  visited.visit(restorer);
}

template <class Visited>
std::map<std::string, std::uint64_t> hash_state(const Visited& visited) {
  StateHasher hasher;
  look_through(visited, hasher);
  return hasher.hashes();
}

template <class Visited>
std::vector<StateEntry> list_state(const Visited& visited) {
  StateLister lister;
  look_through(visited, lister);
  return lister.entries();
}

template <class Visited>
std::vector<StateDifference> compare_state(const Visited& visited, const BlockReader& with) {
  StateComparer comparer(with);
  look_through(visited, comparer);
  return comparer.differences();
}

}  // namespace scree
