# Headers of GPU sorts, made by the program `sortsmith` when a project is built.
#
#   include(Sortsmith.cmake)   # or find_package(Sortsmith)
#
#   sortsmith_headers(<target> <axis> <value>… [<switch>…] [FOLDER <name>] [CHECKED_IN <folder>])
#   sortsmith_matrix(<target> FILE <sorts.toml> [CHECKED_IN <folder>])
#
# The axes and switches are the flags of `sortsmith emit` in capitals, with underscores:
#
#   sortsmith_headers(app FACADE cub-device KEY f32 VALUE u32)
#   sortsmith_headers(app FACADE cub-segmented KEY f32 VALUE u32)
#   sortsmith_headers(app FACADE cub-topk KEY f32 VALUE index)
#   sortsmith_headers(app FACADE cub-rows KEY f32 VALUE index)
#   sortsmith_headers(app ALGORITHM block-radix KEY f32 VALUE u32 BLOCK 256 ITEMS 16 ORDER both TILE_KERNEL)
#
# The target finds the headers by their names; with FOLDER, in a folder of that name, as `#include "name/device_radix_sort.cuh"`. The program
# runs when the request, the matrix file or the program itself has changed, and writes only the headers that differ.
#
# With CHECKED_IN the headers are in a folder of the source tree, and the build runs nothing. Where the program is found, a test of CTest fails if
# they are not what it would make.
#
# SORTSMITH_EXECUTABLE is the program; it is looked for on PATH.

include_guard(GLOBAL)
find_program(SORTSMITH_EXECUTABLE sortsmith DOC "The program that makes headers of sorts")

set(_SORTSMITH_AXES
    ALGORITHM NAME KEY VALUE BLOCK LANES ITEMS RADIX_BITS ORDER RANK INNER_SCAN BITS INPUT OUTPUT ARCH FACADE)
set(_SORTSMITH_SWITCHES TILE_KERNEL ROWS_KERNEL COUNTED_ROWS_KERNEL STABLE NO_MEMOIZE)

# The flag of an axis or a switch.
function(_sortsmith_flag result name)
  string(TOLOWER "${name}" flag)
  string(REPLACE "_" "-" flag "${flag}")
  set(${result} "--${flag}" PARENT_SCOPE)
endfunction()

# A name for the next request of a target: for its folder, its files and its test.
function(_sortsmith_id result target)
  get_property(number GLOBAL PROPERTY _SORTSMITH_COUNT_${target})
  math(EXPR number "0${number} + 1")
  set_property(GLOBAL PROPERTY _SORTSMITH_COUNT_${target} ${number})
  set(${result} sortsmith_${target}_${number} PARENT_SCOPE)
endfunction()

# Gives a target a folder of headers; an interface library, of which nothing is compiled, gives it to the targets that link it.
function(_sortsmith_include target folder)
  get_target_property(type ${target} TYPE)
  set(scope PRIVATE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope} "${folder}")
endfunction()

# The paths in `out` of the headers that the program will write.
function(_sortsmith_list result arguments out)
  # None of them is in a folder that is not there.
  execute_process(COMMAND "${SORTSMITH_EXECUTABLE}" emit ${arguments} --out "${out}/none" --check
                  WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
                  OUTPUT_VARIABLE list ERROR_VARIABLE error RESULT_VARIABLE status)
  if(NOT status EQUAL 1)
    message(FATAL_ERROR "sortsmith emit ${arguments}: ${error}")
  endif()
  string(REGEX MATCHALL "missing +[^\n]+" lines "${list}")
  set(headers "")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^missing +" "" name "${line}")
    list(APPEND headers "${out}/${name}")
  endforeach()
  set(${result} "${headers}" PARENT_SCOPE)
endfunction()

# Adds headers to a target: `arguments` are those of `sortsmith emit`, `depends` files that they come from.
function(_sortsmith_add target arguments depends folder checked_in)
  _sortsmith_id(id ${target})
  if(checked_in)
    get_filename_component(checked_in "${checked_in}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
    _sortsmith_include(${target} "${checked_in}")
    if(SORTSMITH_EXECUTABLE)
      add_test(NAME ${id}_check COMMAND "${SORTSMITH_EXECUTABLE}" emit ${arguments} --out "${checked_in}" --check)
    endif()
    return()
  endif()

  if(NOT SORTSMITH_EXECUTABLE)
    message(FATAL_ERROR "sortsmith is not on PATH: install it, set SORTSMITH_EXECUTABLE, or check headers in (CHECKED_IN)")
  endif()
  set(include "${CMAKE_CURRENT_BINARY_DIR}/${id}")
  set(out "${include}")
  if(folder)
    set(out "${include}/${folder}")
  endif()
  _sortsmith_list(headers "${arguments}" "${out}")

  # Written only if it differs, as the make that does not compare commands needs it.
  set(request "${CMAKE_CURRENT_BINARY_DIR}/${id}.request")
  file(CONFIGURE OUTPUT "${request}" CONTENT "${arguments} ${out}\n" @ONLY)
  # A matrix has a folder of its own, from which headers of sortsmith that it does not list are deleted.
  set(prune "")
  if(depends)
    set(prune --prune)
  endif()
  set(stamp "${CMAKE_CURRENT_BINARY_DIR}/${id}.stamp")
  add_custom_command(
    OUTPUT "${stamp}"
    BYPRODUCTS ${headers}
    COMMAND "${SORTSMITH_EXECUTABLE}" emit ${arguments} --out "${out}" ${prune}
    COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
    DEPENDS "${request}" "${SORTSMITH_EXECUTABLE}" ${depends}
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
    COMMENT "Making headers of sorts for ${target}"
    VERBATIM)
  add_custom_target(${id} DEPENDS "${stamp}")
  add_dependencies(${target} ${id})
  _sortsmith_include(${target} "${include}")
endfunction()

function(sortsmith_headers target)
  cmake_parse_arguments(PARSE_ARGV 1 REQUEST "${_SORTSMITH_SWITCHES}" "${_SORTSMITH_AXES};FOLDER;CHECKED_IN" "")
  if(REQUEST_UNPARSED_ARGUMENTS OR REQUEST_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR
            "sortsmith_headers: no such axis or no value: ${REQUEST_UNPARSED_ARGUMENTS} ${REQUEST_KEYWORDS_MISSING_VALUES}")
  endif()
  set(arguments "")
  foreach(axis IN LISTS _SORTSMITH_AXES)
    if(DEFINED REQUEST_${axis})
      _sortsmith_flag(flag ${axis})
      list(APPEND arguments ${flag} "${REQUEST_${axis}}")
    endif()
  endforeach()
  foreach(switch IN LISTS _SORTSMITH_SWITCHES)
    if(REQUEST_${switch})
      _sortsmith_flag(flag ${switch})
      list(APPEND arguments ${flag})
    endif()
  endforeach()
  _sortsmith_add(${target} "${arguments}" "" "${REQUEST_FOLDER}" "${REQUEST_CHECKED_IN}")
endfunction()

function(sortsmith_matrix target)
  cmake_parse_arguments(PARSE_ARGV 1 REQUEST "" "FILE;CHECKED_IN" "")
  if(REQUEST_UNPARSED_ARGUMENTS OR NOT REQUEST_FILE)
    message(FATAL_ERROR "sortsmith_matrix: FILE names the matrix, CHECKED_IN the folder; not ${REQUEST_UNPARSED_ARGUMENTS}")
  endif()
  get_filename_component(file "${REQUEST_FILE}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  # The names of headers are those of the specs in it.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  _sortsmith_add(${target} "--matrix;${file}" "${file}" "" "${REQUEST_CHECKED_IN}")
endfunction()
