// The launches of one sort in a stream. After an error nothing more is launched.
class Launches {
 public:
  explicit Launches(cudaStream_t stream) : stream_(stream) {}

  cudaError_t error() const { return error_; }
{%- if of_rows %}

  // The next kernel begins in the stream's order, not early.
  void begin() {
#if CUDART_VERSION >= 11080
    is_first_ = true;
    may_begin_early_ = false;
#endif
  }

  // No kernel begins early from here on.
  void stay_in_order() {
#if CUDART_VERSION >= 11080
    is_first_ = false;
    may_begin_early_ = false;
#endif
  }

  // Kernels are launched for as many rows from here on: blocks along y.
  void set_rows(unsigned long long rows) { rows_ = static_cast<unsigned int>(rows); }
{%- endif %}

  void clear(void* workspace, unsigned long long bytes) {
    if (bytes > 0) error_ = cudaMemsetAsync(workspace, 0, bytes, stream_);
  }

  // The first kernel begins in the stream's order. The next ones may begin early where their code waits for the kernel before.
  void launch(const void* kernel, unsigned long long blocks, unsigned int threads, unsigned long long shared_bytes, void** parameters) {
    if (error_ != cudaSuccess) return;
    // The attributes are those of the current device.
    if (shared_bytes > 48 * 1024) {
      error_ = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes));
      if (error_ == cudaSuccess) error_ = cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 100);
      if (error_ != cudaSuccess) return;
    }
    const dim3 grid(static_cast<unsigned int>(blocks){% if of_rows %}, rows_{% endif %});
#if CUDART_VERSION >= 11080
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream_;
    config.attrs = &attribute;
    config.numAttrs = may_begin_early_ ? 1 : 0;
    error_ = cudaLaunchKernelExC(&config, kernel, parameters);
    if (is_first_ && error_ == cudaSuccess) find_whether_code_waits(kernel);
    is_first_ = false;
#else
    error_ = cudaLaunchKernel(kernel, grid, dim3(threads), parameters, shared_bytes, stream_);
#endif
  }

 private:
#if CUDART_VERSION >= 11080
  // All kernels of a sort are compiled for the same architectures.
  void find_whether_code_waits(const void* kernel) {
    int driver = 0;
    cudaFuncAttributes attributes = {};
    error_ = cudaDriverGetVersion(&driver);
    if (error_ == cudaSuccess) error_ = cudaFuncGetAttributes(&attributes, kernel);
    may_begin_early_ = driver >= 12030 && attributes.ptxVersion >= {{ calls.first_waiting_arch }};
  }

  bool is_first_ = true;
  bool may_begin_early_ = false;
#endif{% if of_rows %}
  unsigned int rows_ = 1;{% endif %}
  cudaStream_t stream_;
  cudaError_t error_ = cudaSuccess;
};
