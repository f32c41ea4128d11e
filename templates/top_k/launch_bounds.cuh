extern "C" __global__ void
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
// Code for GPUs before Hopper takes more registers{% if is_of_warps %}, and some of them have no more than 1024 threads a multiprocessor{% endif %}.
__launch_bounds__({{ threads }}, {{ blocks_of_old }})
#else
__launch_bounds__({{ threads }}, {{ resident_blocks }})
#endif
