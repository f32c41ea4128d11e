include("${CMAKE_CURRENT_LIST_DIR}/Sortsmith.cmake")
