/* What the reader gives, beside what the oracle gives. */
#ifndef TEST_GLTF_COMPARE_H
#define TEST_GLTF_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct compare_desc {
    const void *bytes, *plain; /* the file that is read, and what the oracle reads; plain NULL: the same */
    size_t size, plain_size;
    bool turned;     /* triangles may begin at another corner */
    double accuracy; /* of the size; 0: 1e-6 */
    unsigned times;  /* in every clip, beside a few keys; 0: 8 */
} compare_desc;

/* Fails the test where they differ; returns how many positions were compared. */
size_t compare_file(const char *name, const compare_desc *desc);

#endif
