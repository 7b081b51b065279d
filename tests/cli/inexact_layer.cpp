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

// The parameters have the names of the header.
cl_int CL_API_CALL clGetLayerInfo(cl_layer_info param_name, size_t param_value_size,
                                  void* param_value, size_t* param_value_size_ret) {
  if (param_name != CL_LAYER_API_VERSION) return CL_INVALID_VALUE;
  const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  if (param_value != nullptr && param_value_size < sizeof version) return CL_INVALID_VALUE;
  if (param_value != nullptr) std::memcpy(param_value, &version, sizeof version);
  if (param_value_size_ret != nullptr) *param_value_size_ret = sizeof version;
  return CL_SUCCESS;
}

cl_int CL_API_CALL clInitLayer(cl_uint num_entries, const cl_icd_dispatch* target_dispatch,
                               cl_uint* num_entries_ret,
                               const cl_icd_dispatch** layer_dispatch_ret) {
  constexpr cl_uint all = sizeof(cl_icd_dispatch) / sizeof(void*);
  std::memcpy(&here, target_dispatch, (num_entries < all ? num_entries : all) * sizeof(void*));
  below = target_dispatch;
  here.clGetDeviceInfo = device_info;
  *num_entries_ret = num_entries < all ? num_entries : all;
  *layer_dispatch_ret = &here;
  return CL_SUCCESS;
}
