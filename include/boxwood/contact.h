/* Boxwood: where two bodies meet, how deep they are in each other, and which way leads out. */
#ifndef BOXWOOD_CONTACT_H
#define BOXWOOD_CONTACT_H

#include <boxwood/collide.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where two primitives meet. Points and vectors are in world coordinates. */
typedef struct bw_contact {
    uint32_t a, b;        /* primitives of the first and second body */
    bw_contact_kind kind; /* exact: what bw_collide says */
    uint32_t region;      /* index of its region */
    uint32_t point_count; /* what they share: 1 a point, 2 a segment, 3 to 6 a polygon in one plane */
    bw_vec3 ends[2];      /* of the segment; of a polygon its two corners farthest apart; of a point itself */
    bw_vec3 point;        /* the middle of segment or polygon, on both primitives up to rounding */
    /* Unit, from a towards b. Crossing: the normal of a's triangle, or that of b's reversed, whichever takes
     * the pair apart by the shorter way; triangles are seen as counter-clockwise from outside. Touching, or
     * where a primitive has no area: the normal of a triangle or of two edges that separates the pair best.
     * Zero where there is none: two points at one place. */
    bw_vec3 normal;
    /* b's primitive alone, moved by normal * depth, only touches a's; 0 where it does already */
    double depth;
} bw_contact;

/* Contacts that hang together: two that share a primitive of one body are of one region where their
 * primitives of the other have a corner at the same place. Regions are numbered by their first contact, in
 * the order of bw_collide's hits.
 *
 * An overlap is what several regions may bound together, such as the two ends of what is inside of a pipe
 * that leads through a wall: vertices inside the other body that hang together along edges, and the regions
 * whose triangles they belong to. Depth and translation belong to the overlap, and are the same for all its
 * regions. Where the bodies have one overlap only they are those of the bodies (bw_contacts_report). */
typedef struct bw_contact_region {
    uint64_t first, count; /* its contacts */
    uint32_t overlap;      /* the same for regions of one overlap; BW_NONE where no depth is wanted */
    bw_vec3 point;         /* the middle of its contacts, weighted by length */
    bw_vec3 normal;        /* their normals, averaged by length: unit, or zero where they cancel out */
    double length;         /* of its segments, and of polygons from end to end */
    /* With b moved by this the overlap is gone: no primitive of its contacts meets another of them, and those
     * of either body that have a vertex inside the other neither meet that nor are inside (decided exactly
     * for b.pose with this added to its last column). Other overlaps may still be there, or come to be. Its
     * length, rounded up, is depth_upper; the least found, not the least there is. */
    bw_vec3 translation;
    double depth_upper;
    double depth_lower; /* nothing shorter does: rounded down. 0 where neither body is closed */
} bw_contact_region;

/* All zero: points, normals and regions. */
typedef struct bw_contacts_desc {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    bool depth;    /* of regions and bodies; trees of FAST and QUALITY, else BW_ERROR_UNSUPPORTED */
    bool volume;   /* of the overlap of two closed meshes; the same trees */
    /* Regions no deeper than this do not count: they and their contacts are left out, and the report tells
     * how many. 0: all count. Depth decides, not the kind: mated faces, a peg in a hole of its size and
     * coplanar overlaps have depth 0. A region is deeper if a point of its overlap is found that deep inside
     * the other body. Where points tell nothing (neither body is closed, or faces of both lie in one plane
     * with both bodies on the same side) depth_upper decides; where the bodies are deeper and no region is
     * known to be, all count. */
    double tolerance;
    /* Collision queries that the search for a translation may take, for the bodies and for each overlap; 0:
     * 500. More find shorter ones. */
    uint32_t trials;
    bw_contact_region *regions; /* up to region_capacity; may be NULL */
    uint64_t region_capacity;
    const bw_tasks *tasks;         /* NULL: serial. The same bits for any number of threads */
    const bw_allocator *allocator; /* NULL: the heap */
    bw_progress progress;          /* a query that it ends has the status BW_STOPPED and no contacts */
} bw_contacts_desc;

typedef struct bw_contacts_report {
    uint32_t size;    /* zero, or as BW_SIZED sets it */
    bw_status status; /* BW_FULL: contacts or regions did not fit; the counts are whole */
    uint64_t contact_count;
    uint64_t touching_count; /* of these, touching only */
    uint64_t region_count;
    uint64_t shallow_contact_count, shallow_region_count; /* left out by the tolerance */
    bool closed_a, closed_b;    /* as bw_collide_desc.containment means it; where depth or volume is wanted */
    bw_containment containment; /* where depth is wanted, and the bodies do not meet */
    /* b moved by translation is apart from a: no primitive meets another and no part is inside (decided
     * exactly for b.pose with translation added to its last column). Its length, rounded up, is depth_upper;
     * nothing shorter than depth_lower does. Bodies that are apart, and closed ones that only touch (their
     * overlap's volume is within its error): zero, all of it. depth_upper is infinite where no depth is
     * wanted, or the trials were too few to find a translation. */
    bw_vec3 translation;
    double depth_upper, depth_lower;
    /* Of the overlap, and by how much it may be wrong at most; the error is infinite where no volume is
     * wanted, or none is known: both bodies must be closed, with triangles that run the same way around.
     * What a mesh holds several times (it overlaps itself) counts several times. */
    double volume, volume_error;
} bw_contacts_report;

/* The contacts of two bodies, with all that bw_collide promises: no pair is missed and none is invented.
 * contacts holds up to contact_capacity (NULL with 0), region after region, in each in the order of
 * bw_collide's hits; desc may be NULL.
 *
 * Depth is a translation's: bodies that are hooked into each other may need one that is far longer than they
 * are deep, which is what the two bounds then tell. They are found by points of one body inside the other,
 * and by trying translations.
 *
 * Trees and meshes are only read. Errors are those of bw_collide, and with depth, volume or tolerance those
 * of bw_nearest_many; BW_ERROR_ARGUMENT for a tolerance that is negative or not a number. On failure nothing
 * of the outputs has changed. */
BW_API bw_result bw_contacts(const bw_body *a, const bw_body *b, const bw_contacts_desc *desc,
                             bw_contact *contacts, uint64_t contact_capacity, bw_contacts_report *report,
                             bw_fault *fault);

#ifdef __cplusplus
}
#endif
#endif
