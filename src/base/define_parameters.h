// Turns a .def file into a struct; included once for each, with two macros set:
//   #define SCREE_PARAMETERS WaterParameters
//   #define SCREE_DEF "kernel/heights/water.def"
//   #include "base/define_parameters.h"
// No include guard: it is a template for the preprocessor.
#include "base/parameter.h"

namespace scree {

struct SCREE_PARAMETERS : detail::ParametersOf<SCREE_PARAMETERS> {
#define REAL(name, standard, unit, least, most, help) double name = standard;
#define FLAG(name, standard, help) bool name = standard;
#define CHOICE(name, standard, choices, help) std::string name = standard;
#include SCREE_DEF
#undef REAL
#undef FLAG
#undef CHOICE

  template <class Visitor>
  void for_each(Visitor&& visit) {
#define REAL(name, standard, unit, least, most, help) \
  visit(ParameterInfo{ParameterInfo::Kind::real, #name, unit, least, most, {}, {}, help}, name);
#define FLAG(name, standard, help) \
  visit(ParameterInfo{ParameterInfo::Kind::flag, #name, "", 0, 0, {}, {}, help}, name);
#define CHOICE(name, standard, choices, help)                                                      \
  visit(                                                                                           \
      ParameterInfo{                                                                               \
          ParameterInfo::Kind::choice, #name, "", 0, 0, detail::split_choices(choices), {}, help}, \
      name);
#include SCREE_DEF
#undef REAL
#undef FLAG
#undef CHOICE
  }
};

}  // namespace scree

#undef SCREE_PARAMETERS
#undef SCREE_DEF
