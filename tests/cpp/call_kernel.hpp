// Calls of kernels by the addresses of their parameters, as the runtime has them.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace {

template <typename... Parameters, size_t... kIndices>
void call_with(void (*kernel)(Parameters...), void** parameters, std::index_sequence<kIndices...>) {
  kernel(*static_cast<std::remove_reference_t<Parameters>*>(parameters[kIndices])...);
}

template <typename... Parameters>
void call_kernel(void (*kernel)(Parameters...), void** parameters) {
  call_with(kernel, parameters, std::index_sequence_for<Parameters...>());
}

}  // namespace
