/* The one counter of the library. Nothing but the equality of two numbers is ever looked at. */
#include "base/serial.h"

#include <stdatomic.h>

uint64_t bw_serial_next(void)
{
    static _Atomic uint64_t last;
    return atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}
