/* A main for the fuzzers where libFuzzer is not: runs each on files, or on all files of folders, as a
 * regression test. */
#define _POSIX_C_SOURCE 200809L /* for dirent.h */

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char current[4096]; /* the file that is run: what a debugger shows after a crash */

static void fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", current, what);
    exit(2);
}

static void run_file(void)
{
    FILE *file = fopen(current, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0)
        fail("cannot be read");
    long size = ftell(file);
    rewind(file);
    uint8_t *data = size < 0 ? NULL : malloc(size > 0 ? (size_t)size : 1);
    if (data == NULL || fread(data, 1, (size_t)size, file) != (size_t)size)
        fail("cannot be read");
    fclose(file);
    fprintf(stderr, "%s\n", current); /* the last line before a crash */
    LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
}

static unsigned run_folder(const char *path, DIR *folder)
{
    unsigned count = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        int length = snprintf(current, sizeof current, "%s/%s", path, entry->d_name);
        if (length < 0 || (size_t)length >= sizeof current)
            fail("the path is too long");
        run_file();
        count++;
    }
    return count;
}

int main(int argc, char **argv)
{
    unsigned count = 0;
    for (int i = 1; i < argc; i++) {
        snprintf(current, sizeof current, "%s", argv[i]);
        DIR *folder = opendir(argv[i]);
        if (folder == NULL) {
            run_file();
            count++;
        } else {
            count += run_folder(argv[i], folder);
            closedir(folder);
        }
    }
    if (count == 0) {
        fprintf(stderr, "no file was given\n");
        return 2;
    }
    printf("%u inputs\n", count);
    return 0;
}
