// An OpenCL layer (OPENCL_LAYERS) under which every device says that it rounds carelessly: the only
// way to see such a device on a machine that has none.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_layer.h>

#include <cstring>

namespace {

const cl_icd_dispatch* below = nullptr;
cl_icd_dispatch here;

cl_int CL_API_CALL device_info(cl_device_id device, cl_device_info what, size_t bytes, void* value,
                               size_t* needed) {
  const cl_int status = below->clGetDeviceInfo(device, what, bytes, value, needed);
  if (status == CL_SUCCESS && what == CL_DEVICE_SINGLE_FP_CONFIG && value != nullptr) {
    cl_device_fp_config config = 0;
    std::memcpy(&config, value, sizeof config);
    config &= ~static_cast<cl_device_fp_config>(CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT);
    std::memcpy(value, &config, sizeof config);
  }
  return status;
}

}  // namespace

cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t bytes, void* value, size_t* needed) {
  if (what != CL_LAYER_API_VERSION) return CL_INVALID_VALUE;
  const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  if (value != nullptr && bytes < sizeof version) return CL_INVALID_VALUE;
  if (value != nullptr) std::memcpy(value, &version, sizeof version);
  if (needed != nullptr) *needed = sizeof version;
  return CL_SUCCESS;
}

cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch* target,
                               cl_uint* entries_here, const cl_icd_dispatch** layer) {
  constexpr cl_uint all = sizeof(cl_icd_dispatch) / sizeof(void*);
  std::memcpy(&here, target, (entries < all ? entries : all) * sizeof(void*));
  below = target;
  here.clGetDeviceInfo = device_info;
  *entries_here = entries < all ? entries : all;
  *layer = &here;
  return CL_SUCCESS;
}
