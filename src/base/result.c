/* Results and defects in words, and the version. */
#include <boxwood/base.h>

const char *bw_result_string(bw_result result)
{
    switch (result) {
    case BW_OK:
        return "success";
    case BW_ERROR_ARGUMENT:
        return "an argument is NULL or outside its domain";
    case BW_ERROR_MEMORY:
        return "out of memory";
    case BW_ERROR_NOT_FINITE:
        return "a number is NaN or infinite";
    case BW_ERROR_RANGE:
        return "a coordinate is outside the range in which answers are exact";
    case BW_ERROR_INDEX:
        return "an index is out of range";
    case BW_ERROR_EMPTY:
        return "there is nothing to build from";
    case BW_ERROR_SIZE:
        return "too many elements for 32-bit indices";
    case BW_ERROR_MISMATCH:
        return "a mesh or other input does not belong to the object given with it";
    case BW_ERROR_SINGULAR:
        return "the pose has no inverse";
    case BW_ERROR_FORMAT:
        return "the stored data is corrupt or of another format";
    case BW_ERROR_VERSION:
        return "the stored data is of an unknown version";
    case BW_ERROR_STALE:
        return "the id names an object that was removed";
    case BW_ERROR_CYCLE:
        return "a scene would contain itself";
    case BW_ERROR_UNSUPPORTED:
        return "this combination is not supported";
    case BW_ERROR_NOT_BUILT:
        return "this build of the library left out the paper's structure (BOXWOOD_RESEARCH=OFF)";
    case BW_ERROR_STOPPED:
        return "the caller's progress ended the call";
    case BW_ERROR_LAYOUT:
        return "the size of a descriptor or report is of no version: zero-initialise it";
    }
    return "unknown result code";
}

const char *bw_defect_string(bw_defect defect)
{
    switch (defect) {
    case BW_DEFECT_NONE:
        return "no defect";
    case BW_DEFECT_INDEX:
        return "index out of range";
    case BW_DEFECT_NAN:
        return "NaN coordinate";
    case BW_DEFECT_INFINITE:
        return "infinite coordinate";
    case BW_DEFECT_RANGE:
        return "coordinate outside the exact range";
    case BW_DEFECT_ZERO_AREA:
        return "triangle without area";
    case BW_DEFECT_COUNT:
        break;
    }
    return "unknown defect";
}

uint32_t bw_version(void)
{
    return BW_VERSION;
}

const char *bw_version_string(void)
{
    return BW_VERSION_STRING;
}
