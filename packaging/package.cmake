# What `cmake --install` and CPack put where, as Debian has it. packaging/package makes the .deb.
include(GNUInstallDirs)

# The manual and bash's completion are printed by the program itself.
set(texts ${PROJECT_BINARY_DIR}/texts)
file(MAKE_DIRECTORY ${texts})
find_program(LETOFF_GZIP gzip REQUIRED)
add_custom_command(OUTPUT ${texts}/letoff.1.gz ${texts}/letoff ${texts}/changelog.gz
  COMMAND sh -c "'$<TARGET_FILE:letoff>' --man | '${LETOFF_GZIP}' -9n > letoff.1.gz"
  COMMAND sh -c "'$<TARGET_FILE:letoff>' --bash-completion > letoff"
  COMMAND sh -c "'${LETOFF_GZIP}' -9n < '${PROJECT_SOURCE_DIR}/packaging/deb/changelog' > changelog.gz"
  VERBATIM
  WORKING_DIRECTORY ${texts}
  DEPENDS letoff ${PROJECT_SOURCE_DIR}/packaging/deb/changelog
  COMMENT "The manual page and bash's completion")
add_custom_target(texts ALL DEPENDS ${texts}/letoff.1.gz)

install(TARGETS letoff)
install(FILES ${texts}/letoff.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${texts}/letoff DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${texts}/changelog.gz packaging/deb/copyright README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/letoff)
install(DIRECTORY packaging/doc DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/letoff/packaging)
install(FILES packaging/profiles/profile.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/letoff)
install(FILES packaging/desktop/letoff.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES packaging/desktop/letoff.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
install(FILES packaging/systemd/letoff.service DESTINATION lib/systemd/user)
install(FILES packaging/udev/70-letoff-keybed.rules DESTINATION lib/udev/rules.d)
install(FILES packaging/realtime/95-letoff.conf DESTINATION /etc/security/limits.d)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The Letoff developers <developers@letoff.invalid>")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION sound)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fluid-soundfont-gm | timgm6mb-soundfont")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "jackd2, linux-cpupower, qjackctl")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "piano whose 88 keys are living models of piano actions")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Every key is a mechanical model of a grand piano's action: key, wippen, jack,
repetition lever, hammer and damper, with felt and friction. The force between
hammer and string makes the string sound. Touch profiles are kept and single
keys regulated as a technician does it, from a page in the browser or in the
shell; MIDI in and out, motorised keys over USB.")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
foreach(script conffiles postinst postrm)
  list(APPEND CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/deb/${script})
endforeach()
include(CPack)
