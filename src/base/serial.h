/* Numbers by which objects are told apart for as long as the process lives: unlike an address, none ever
 * comes twice. */
#ifndef BW_BASE_SERIAL_H
#define BW_BASE_SERIAL_H

#include <stdint.h>

/* A number that no other call has returned, and never 0. Any thread. */
uint64_t bw_serial_next(void);

#endif
