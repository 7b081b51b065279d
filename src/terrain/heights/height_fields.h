// The fields that a heightfield has of itself, with unit and help: its state, and what maps may
// give it. Those of processes are declared by each process in the same form.
#pragma once

#include "device/field.h"

namespace scree {

// A field as it is declared.
struct FieldSpec {
  const char* name;
  device::FieldType type = device::FieldType::float32;
  bool double_buffered = false;
  float start = 0;         // of a float field
  const char* unit = "1";  // an integer field in "m" counts quanta
  const char* help = "";
  bool scratch = false;      // what a step leaves for itself, or what follows from the parameters
  bool above_datum = false;  // counts from the datum; other counts are depths, never below 0
};

inline constexpr FieldSpec height_state[] = {
    {.name = "bed",
     .type = device::FieldType::int32,
     .double_buffered = true,
     .unit = "m",
     .help = "Height of the ground",
     .above_datum = true},
    {.name = "water",
     .type = device::FieldType::int32,
     .double_buffered = true,
     .unit = "m",
     .help = "Depth of the water on it; a map sets it at the start"},
    {.name = "sediment",
     .type = device::FieldType::int32,
     .double_buffered = true,
     .unit = "m",
     .help = "Ground carried by the water, as depth"},
    {.name = "flux.x",
     .double_buffered = true,
     .unit = "m3/s",
     .help = "Water through the eastern edge, eastwards"},
    {.name = "flux.y",
     .double_buffered = true,
     .unit = "m3/s",
     .help = "Water through the southern edge, southwards"}};

inline constexpr FieldSpec height_maps[] = {
    {.name = "erodibility", .start = 1, .help = "Factor on the rate at which the ground dissolves"},
    {.name = "rain", .unit = "m/s", .help = "Rain by place"},
    {.name = "floor",
     .type = device::FieldType::int32,
     .unit = "m",
     .help = "Height below which nothing erodes",
     .above_datum = true},
    {.name = "strength", .start = 1, .help = "Factor on the talus slope"},
    {.name = "sink",
     .type = device::FieldType::int32,
     .help = "Set in the sea: what reaches it leaves, and it stays as it is",
     .scratch = true}};

// The declaration of one of these; null where it is a process's.
const FieldSpec* height_field(const char* name);

}  // namespace scree
