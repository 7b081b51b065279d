// What the kinds of terrain put into report.json. For those who write a report alone: JSON's header
// takes long to compile.
#pragma once

#include <nlohmann/json.hpp>

#include "run/report.h"

namespace scree {

using Json = nlohmann::ordered_json;

struct ReportJson {
  Json shape = Json::object();   // size, cell, quantum
  Json clock = Json::object();   // time and time step, where steps have a duration
  Json ledger = Json::object();  // start, end, and what came and went
  Json facts = Json::object();   // whatever else is worth saying: counts, materials
};

}  // namespace scree
