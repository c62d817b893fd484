include(CMakePackageConfigHelpers)

install(DIRECTORY include/boxwood DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
set(libraries boxwood_static)
if(TARGET boxwood_shared)
  list(APPEND libraries boxwood_shared)
endif()
install(TARGETS ${libraries} EXPORT boxwood
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET boxwood_pool)
  install(TARGETS boxwood_pool EXPORT boxwood ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(TARGET boxwood_mpi)
  install(TARGETS boxwood_mpi EXPORT boxwood ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY cluster/include/boxwood DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()
install(EXPORT boxwood NAMESPACE boxwood:: FILE boxwood-targets.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/boxwood)
set(BW_HAS_POOL OFF)
if(TARGET boxwood_pool)
  set(BW_HAS_POOL ON)
endif()
set(BW_HAS_MPI OFF)
if(TARGET boxwood_mpi)
  set(BW_HAS_MPI ON)
endif()
configure_package_config_file(cmake/boxwood-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/boxwood-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/boxwood)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/boxwood-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/boxwood-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/boxwood-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/boxwood)
# Relative to where the file stands, so that an installed tree can be moved (cmake --install --prefix).
file(RELATIVE_PATH BW_PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/boxwood.pc.in ${CMAKE_CURRENT_BINARY_DIR}/boxwood.pc @ONLY)
if(TARGET boxwood_pool)
  configure_file(cmake/boxwood-pool.pc.in ${CMAKE_CURRENT_BINARY_DIR}/boxwood-pool.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/boxwood-pool.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/boxwood.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
