/* Gives back what a clash leads to. */
#include "clash/clash.h"

#include <stdlib.h>

void clash_free(clash *c)
{
    free(c->kept);
    free(c->told);
    free(c->segments);
    c->kept = NULL;
    c->told = NULL;
    c->segments = NULL;
    c->kept_count = c->segment_count = 0;
}
