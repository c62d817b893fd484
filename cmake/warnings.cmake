# Flags for our own code only: users who embed the library keep theirs, and get none of our warnings.
add_library(bw_flags INTERFACE)
target_compile_options(bw_flags INTERFACE
  # Exact arithmetic and equal bits everywhere: no fused multiply-add behind our back, no value-changing rewrites.
  -ffp-contract=off -fno-fast-math -fvisibility=hidden)
target_compile_definitions(bw_flags INTERFACE BW_RESEARCH=$<BOOL:${BOXWOOD_RESEARCH}>)
if(BOXWOOD_WARNINGS)
  target_compile_options(bw_flags INTERFACE -Wall -Wextra -Wconversion -Wshadow
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes>)
endif()
if(BOXWOOD_WERROR)
  target_compile_options(bw_flags INTERFACE -Werror)
endif()
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  target_compile_options(bw_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:-fexcess-precision=standard>)
endif()
if(BOXWOOD_SANITIZE)
  target_compile_options(bw_flags INTERFACE -fsanitize=${BOXWOOD_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(bw_flags INTERFACE -fsanitize=${BOXWOOD_SANITIZE})
endif()
if(BOXWOOD_COVERAGE)
  target_compile_options(bw_flags INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(bw_flags INTERFACE --coverage)
endif()
