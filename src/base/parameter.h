// A parameter is described once, in src/kernel/NAME.def. From that list come the struct, the range
// checks, the help, the documentation table and the bindings.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace scree {

using ParameterValue = std::variant<double, bool, std::string>;

struct ParameterInfo {
  enum class Kind { real, flag, choice };
  Kind kind;
  std::string name;
  std::string unit;                  // of a real
  double least = 0, most = 0;        // of a real, inclusive
  std::vector<std::string> choices;  // of a choice
  ParameterValue standard;
  std::string help;
};

// A struct made from a .def file, seen by name.
class Parameters {
 public:
  virtual ~Parameters() = default;
  virtual const std::vector<ParameterInfo>& list() const = 0;
  virtual ParameterValue get(const std::string& name) const = 0;
  virtual std::unique_ptr<Parameters> clone() const = 0;
  // Checks kind and range. A string for a real is a quantity with a unit ("30 mm/h"). `where` names
  // the file and table for the message.
  void set(const std::string& name, const ParameterValue& value, const std::string& where = {});

 protected:
  virtual void store(const std::string& name, const ParameterValue& value) = 0;
};

std::string parameter_text(const ParameterValue& value);

// A struct of any .def file, as a value.
class AnyParameters {
 public:
  explicit AnyParameters(const Parameters& held) : held_(held.clone()) {}
  AnyParameters(const AnyParameters& other) : held_(other.held_->clone()) {}
  AnyParameters(AnyParameters&&) noexcept = default;
  AnyParameters& operator=(const AnyParameters& other) {
    if (this != &other) held_ = other.held_->clone();
    return *this;
  }
  AnyParameters& operator=(AnyParameters&&) noexcept = default;
  ~AnyParameters() = default;

  Parameters& operator*() { return *held_; }
  const Parameters& operator*() const { return *held_; }
  Parameters* operator->() { return held_.get(); }
  const Parameters* operator->() const { return held_.get(); }
  // The struct itself; std::bad_cast where it is another one.
  template <class P>
  P& as() {
    return dynamic_cast<P&>(*held_);
  }
  template <class P>
  const P& as() const {
    return dynamic_cast<const P&>(*held_);
  }

 private:
  std::unique_ptr<Parameters> held_;
};

namespace detail {

std::vector<std::string> split_choices(const char* choices);

// Implements Parameters for a struct that has for_each(visitor).
template <class Self>
class ParametersOf : public Parameters {
 public:
  const std::vector<ParameterInfo>& list() const override {
    static const std::vector<ParameterInfo> infos = describe();
    return infos;
  }
  ParameterValue get(const std::string& name) const override {
    ParameterValue found;
    const_cast<Self&>(self()).for_each([&](const ParameterInfo& info, auto& member) {
      if (info.name == name) found = member;
    });
    return found;
  }
  std::unique_ptr<Parameters> clone() const override { return std::make_unique<Self>(self()); }

 protected:
  void store(const std::string& name, const ParameterValue& value) override {
    const_cast<Self&>(self()).for_each([&](const ParameterInfo& info, auto& member) {
      if (info.name == name) member = std::get<std::remove_reference_t<decltype(member)>>(value);
    });
  }

 private:
  const Self& self() const { return static_cast<const Self&>(*this); }
  static std::vector<ParameterInfo> describe() {
    std::vector<ParameterInfo> infos;
    Self standard;
    standard.for_each([&](ParameterInfo info, auto& member) {
      info.standard = member;
      infos.push_back(std::move(info));
    });
    return infos;
  }
};

}  // namespace detail
}  // namespace scree
