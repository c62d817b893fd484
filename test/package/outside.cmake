# One step of the outside project's test: HOW is install, static, shared, default, pkgconfig, embedded or examples.
cmake_minimum_required(VERSION 3.22)
set(prefix ${WORK}/prefix)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT result EQUAL 0)
    string(REPLACE ";" " " command "${ARGN}")
    message(FATAL_ERROR "${command}\n${text}")
  endif()
endfunction()

if(HOW STREQUAL install)
  file(REMOVE_RECURSE ${prefix})
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
  return()
endif()

if(HOW STREQUAL examples) # a project of its own, with tests of its own
  file(REMOVE_RECURSE ${WORK}/examples)
  run(${CMAKE_COMMAND} -S ${SOURCE}/examples -B ${WORK}/examples -G ${GENERATOR} -D CMAKE_PREFIX_PATH=${prefix}
    -D CMAKE_C_COMPILER=${CC} -D "CMAKE_C_FLAGS=${FLAGS} -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror")
  run(${CMAKE_COMMAND} --build ${WORK}/examples)
  run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/examples --output-on-failure --no-tests=error)
  return()
endif()

set(programs program_c)
if(CXX)
  list(APPEND programs program_cxx)
endif()
set(there ${WORK}/${HOW})
file(REMOVE_RECURSE ${there})

if(HOW STREQUAL pkgconfig)
  find_program(pkg_config pkg-config REQUIRED)
  set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
  # Debian would drop -I and -L of system directories; nothing of ours may be taken for one.
  execute_process(COMMAND ${pkg_config} --cflags --libs boxwood OUTPUT_VARIABLE answer COMMAND_ERROR_IS_FATAL ANY
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  separate_arguments(answer UNIX_COMMAND "${answer}")
  separate_arguments(flags UNIX_COMMAND "${FLAGS}")
  file(MAKE_DIRECTORY ${there})
  run(${CC} ${flags} -std=c11 ${SOURCE}/test/package/outside/main.c -o ${there}/program_c ${answer})
  if(CXX)
    run(${CXX} ${flags} -std=c++17 ${SOURCE}/test/package/outside/main.cc -o ${there}/program_cxx ${answer})
  endif()
  set(ENV{LD_LIBRARY_PATH} ${prefix}/${LIBDIR})
else()
  if(HOW STREQUAL embedded) # the whole library is compiled again, with the warnings of its new home: as fast as it can be
    set(FLAGS "-O0 -Wall -Wextra -Wconversion -Wshadow")
  endif()
  run(${CMAKE_COMMAND} -S ${SOURCE}/test/package/outside -B ${there} -G ${GENERATOR} -D HOW=${HOW}
    -D CMAKE_PREFIX_PATH=${prefix} -D BOXWOOD_SOURCE=${SOURCE} -D CMAKE_C_COMPILER=${CC} -D CMAKE_CXX_COMPILER=${CXX}
    -D "CMAKE_C_FLAGS=${FLAGS}" -D "CMAKE_CXX_FLAGS=${FLAGS}" -D CMAKE_EXPORT_COMPILE_COMMANDS=ON -D KIND=${KIND} -D BUILD_SHARED_LIBS=${SHARED})
  run(${CMAKE_COMMAND} --build ${there})
  if(HOW STREQUAL embedded)
    # None of our warnings, and no build type: those are the home's.
    file(READ ${there}/compile_commands.json commands)
    foreach(flag -Werror -Wstrict-prototypes -Wmissing-prototypes -O3 -DNDEBUG)
      string(FIND "${commands}" " ${flag} " at)
      if(NOT at EQUAL -1)
        message(FATAL_ERROR "who embeds the library gets ${flag}")
      endif()
    endforeach()
  endif()
endif()
foreach(program IN LISTS programs)
  run(${there}/${program})
endforeach()
