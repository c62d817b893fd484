/* Ctrl-C (SIGINT) and SIGTERM while a search is long: the first only asks it to stop, so that what was found
 * until then can still be told; a second ends the program as ever. */
#ifndef TOOL_INTERRUPT_H
#define TOOL_INTERRUPT_H

#include <stdbool.h>

/* From here on signals ask; those that the caller of the program has had ignored stay ignored. */
void interrupt_watch(void);
/* As before interrupt_watch. */
void interrupt_unwatch(void);
/* Somebody has asked to stop. Any thread may call it. */
bool interrupt_asked(void);
/* Ends the program by the signal that asked, as if it had never been caught, so that a shell or a build tool
 * sees what happened. Call it when everything has been printed; returns where nobody has asked. */
void interrupt_obey(void);

#endif
