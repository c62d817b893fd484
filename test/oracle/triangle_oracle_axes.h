/* The body of triangle_oracle.c for one type of integer. The includer defines NUMBER, the operations below
 * and NAME(x), which makes a name of its own: SUB(out, a, b)  MUL(out, a, b)  ADDMUL(out, a, b)  SUBMUL(out,
 * a, b)  SIGN(a)  COMPARE(a, b)  SET(out, a)
 */
typedef struct NAME(set) {
    NUMBER point[3][3]; /* corners; of a ray: its origin, and then no edge but its direction */
    NUMBER edge[3][3];
    int points, edges;
    bool ray;
} NAME(set);

typedef struct NAME(work) {
    NAME(set) a, b;
    NUMBER normal[11][3], offset[3], in_plane[3], value, low[2], high[2];
} NAME(work);

static void NAME(cross)(NUMBER *out, NUMBER *u, NUMBER *v)
{
    for (int k = 0; k < 3; k++) {
        MUL(out[k], u[(k + 1) % 3], v[(k + 2) % 3]);
        SUBMUL(out[k], u[(k + 2) % 3], v[(k + 1) % 3]);
    }
}

#define DOT(out, u, v)                                                                                       \
    do {                                                                                                     \
        MUL(out, (u)[0], (v)[0]);                                                                            \
        ADDMUL(out, (u)[1], (v)[1]);                                                                         \
        ADDMUL(out, (u)[2], (v)[2]);                                                                         \
    } while (0)

static bool NAME(nonzero)(NUMBER *v)
{
    return SIGN(v[0]) != 0 || SIGN(v[1]) != 0 || SIGN(v[2]) != 0;
}

/* The range of n over the set into low[side], high[side]; *unbounded gets +1 or -1 where a ray makes it
 * infinite. */
static void NAME(range)(NAME(work) * w, NAME(set) * s, NUMBER *n, int side, int *unbounded)
{
    for (int i = 0; i < s->points; i++) {
        DOT(w->value, n, s->point[i]);
        if (i == 0 || COMPARE(w->value, w->low[side]) < 0)
            SET(w->low[side], w->value);
        if (i == 0 || COMPARE(w->value, w->high[side]) > 0)
            SET(w->high[side], w->value);
    }
    *unbounded = 0;
    if (s->ray) {
        DOT(w->value, n, s->edge[0]);
        *unbounded = SIGN(w->value);
    }
}

/* What the axis n alone allows. */
static bw_contact_kind NAME(axis)(NAME(work) * w, NUMBER *n)
{
    int a_unbounded, b_unbounded;
    NAME(range)(w, &w->a, n, 0, &a_unbounded);
    NAME(range)(w, &w->b, n, 1, &b_unbounded);
    /* The signs of the lower and upper end of the range of n over A - B; A is never a ray. */
    int low = b_unbounded > 0 ? -1 : COMPARE(w->low[0], w->high[1]);
    int high = b_unbounded < 0 ? 1 : COMPARE(w->high[0], w->low[1]);
    if (low > 0 || high < 0)
        return BW_CONTACT_NONE;
    return (low == 0) != (high == 0) ? BW_CONTACT_TOUCHING : BW_CONTACT_CROSSING;
}

static bw_contact_kind NAME(in_space)(NAME(work) * w, int normals)
{
    bw_contact_kind kind = BW_CONTACT_CROSSING;
    for (int i = 0; i < normals && kind != BW_CONTACT_NONE; i++) {
        bw_contact_kind allowed = NAME(axis)(w, w->normal[i]);
        kind = allowed < kind ? allowed : kind;
    }
    return kind;
}

static bw_contact_kind NAME(in_plane)(NAME(work) * w)
{
    DOT(w->value, w->normal[0], w->offset);
    if (SIGN(w->value) != 0)
        return BW_CONTACT_NONE;
    bw_contact_kind kind = BW_CONTACT_CROSSING;
    for (int i = 0; i < w->a.edges + w->b.edges && kind != BW_CONTACT_NONE; i++) {
        NUMBER *edge = i < w->a.edges ? w->a.edge[i] : w->b.edge[i - w->a.edges];
        if (!NAME(nonzero)(edge))
            continue;
        NAME(cross)(w->in_plane, w->normal[0], edge);
        bw_contact_kind allowed = NAME(axis)(w, w->in_plane);
        kind = allowed < kind ? allowed : kind;
    }
    return kind;
}

static bw_contact_kind NAME(on_line)(NAME(work) * w, NUMBER *direction)
{
    NAME(cross)(w->in_plane, direction, w->offset);
    return NAME(nonzero)(w->in_plane) ? BW_CONTACT_NONE : NAME(axis)(w, direction);
}

static void NAME(edges)(NAME(set) * s)
{
    s->edges = s->ray ? 1 : s->points;
    for (int i = 0; i < s->edges; i++)
        for (int k = 0; k < 3; k++)
            SUB(s->edge[i][k], s->point[(i + 1) % 3][k], s->point[i][k]);
    if (s->ray)
        s->points = 1; /* the second only gave the direction */
}

/* w->a and w->b have their points. */
static bw_contact_kind NAME(contact)(NAME(work) * w)
{
    NAME(edges)(&w->a);
    NAME(edges)(&w->b);
    for (int k = 0; k < 3; k++)
        SUB(w->offset[k], w->a.point[0][k], w->b.point[0][k]);
    int normals = 0;
    NAME(cross)(w->normal[0], w->a.edge[0], w->a.edge[1]);
    normals += NAME(nonzero)(w->normal[0]);
    if (w->b.edges > 1) {
        NAME(cross)(w->normal[normals], w->b.edge[0], w->b.edge[1]);
        normals += NAME(nonzero)(w->normal[normals]);
    }
    for (int i = 0; i < w->a.edges; i++)
        for (int j = 0; j < w->b.edges; j++) {
            NAME(cross)(w->normal[normals], w->a.edge[i], w->b.edge[j]);
            normals += NAME(nonzero)(w->normal[normals]);
        }
    for (int i = 0; i < w->a.edges + w->b.edges; i++) {
        NUMBER *edge = i < w->a.edges ? w->a.edge[i] : w->b.edge[i - w->a.edges];
        if (normals > 0) {
            DOT(w->value, w->normal[0], edge);
            if (SIGN(w->value) != 0)
                return NAME(in_space)(w, normals);
        } else if (NAME(nonzero)(edge)) {
            return NAME(on_line)(w, edge);
        }
    }
    if (normals > 0)
        return NAME(in_plane)(w);
    return NAME(nonzero)(w->offset) ? BW_CONTACT_NONE : BW_CONTACT_CROSSING;
}
#undef DOT
