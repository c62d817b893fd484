/* contact.h. */
#include "calls.h"

void call_contact(void)
{
    bw_tree *trees[2] = {NULL, NULL};
    CHECK(bw_tree_create(NULL, &calls_mesh, &trees[0], NULL) == BW_OK &&
          bw_tree_create(NULL, &calls_aside, &trees[1], NULL) == BW_OK);
    const bw_body a = {trees[0], &calls_mesh, NULL}, b = {trees[1], &calls_aside, NULL};
    bw_contact contacts[16];
    bw_contact_region regions[4];
    bw_contacts_desc desc = BW_SIZED(bw_contacts_desc);
    bw_contacts_report report = BW_SIZED(bw_contacts_report);
    CHECK(bw_contacts(&a, &b, NULL, contacts, 16, &report, NULL) == BW_OK && report.contact_count > 0);
    desc.depth = desc.volume = true;
    desc.tasks = &calls_tasks;
    desc.regions = regions;
    desc.region_capacity = 4;
    CHECK(bw_contacts(&a, &b, &desc, contacts, 16, &report, NULL) == BW_OK && report.region_count == 1);
    CHECK(report.depth_lower > 0 && report.depth_upper < 0.75 && report.volume > 0.07 &&
          report.volume < 0.0704);
    bw_tree_destroy(trees[0]);
    bw_tree_destroy(trees[1]);
}
