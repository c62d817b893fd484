/* The commands, one file each. */
#ifndef TOOL_COMMANDS_H
#define TOOL_COMMANDS_H

#include "options.h"

extern const command command_info, command_check, command_clash, command_export, command_bake, command_demo,
    command_scene, command_track, command_pack, command_merge, command_view, command_dump;

#endif
