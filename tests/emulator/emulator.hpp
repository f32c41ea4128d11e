// The CUDA surface for a host compiler: include this, then a generated header unchanged, and run its
// kernels on the CPU with emulator::run. Link with emulator.cpp. README.md says what is modelled.
//
// __CUDACC__ and __CUDA_ARCH__ stay undefined, so that code with inline PTX takes its portable version.
#pragma once

#define SORTSMITH_EMULATOR 1

#include "emulator/language.hpp"
#include "emulator/sites.hpp"
#include "emulator/intrinsics.hpp"
#include "emulator/collectives.hpp"
#include "emulator/launch.hpp"
#include "emulator/parts.hpp"
