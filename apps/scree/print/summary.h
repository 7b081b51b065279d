// What a run tells at its end.
#pragma once

#include <string>

#include "print/console.h"
#include "run/runner.h"

namespace scree::cli {

// For people: what was done, where, how fast, whether anything was lost, and the files.
std::string summary_text(const std::string& name, const RunResult& result);
// For programs: the same and the hash of every field.
Json summary_json(const std::string& name, const RunResult& result);

// "12.5 s", "3 min 20 s", "4.2 h" of simulated time.
std::string duration_text(double seconds);

}  // namespace scree::cli
