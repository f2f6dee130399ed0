#include "assets.h"

// #embed is a feature of C23 that clang supports in all modes.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char openapi[] = {
#embed "../../openapi.yaml"
};

static const unsigned char openapi_json[] = {
#embed "../../openapi/generated/openapi.json"
};

static const unsigned char openapi_30[] = {
#embed "../../openapi/generated/openapi-3.0.yaml"
};

static const unsigned char memes_0001[] = {
#embed "../../migrations/0001_memes.sql"
};

static const unsigned char trash_0002[] = {
#embed "../../migrations/0002_trash.sql"
};

static const unsigned char retries_0003[] = {
#embed "../../migrations/0003_retries.sql"
};

static const unsigned char totals_0004[] = {
#embed "../../migrations/0004_totals.sql"
};

static const unsigned char styles_0005[] = {
#embed "../../migrations/0005_styles.sql"
};

static const unsigned char formats_0006[] = {
#embed "../../migrations/0006_formats.sql"
};

static const unsigned char recipes_0007[] = {
#embed "../../migrations/0007_recipes.sql"
};

static const unsigned char derived_0008[] = {
#embed "../../migrations/0008_derived.sql"
};

static const unsigned char uploads_0009[] = {
#embed "../../migrations/0009_uploads.sql"
};

static const unsigned char templates_0010[] = {
#embed "../../migrations/0010_templates.sql"
};

static const unsigned char shares_0011[] = {
#embed "../../migrations/0011_shares.sql"
};

static const unsigned char people_0012[] = {
#embed "../../migrations/0012_people.sql"
};

static const unsigned char ownership_0013[] = {
#embed "../../migrations/0013_ownership.sql"
};

static const unsigned char password_resets_0014[] = {
#embed "../../migrations/0014_password_resets.sql"
};

static const unsigned char settings_0015[] = {
#embed "../../migrations/0015_settings.sql"
};

static const unsigned char admin_0016[] = {
#embed "../../migrations/0016_admin.sql"
};

static const unsigned char social_0017[] = {
#embed "../../migrations/0017_social.sql"
};

static const unsigned char finding_0018[] = {
#embed "../../migrations/0018_finding.sql"
};

static const unsigned char notifications_0019[] = {
#embed "../../migrations/0019_notifications.sql"
};

static const unsigned char reports_0020[] = {
#embed "../../migrations/0020_reports.sql"
};

static const unsigned char moderation_0021[] = {
#embed "../../migrations/0021_moderation.sql"
};

static const unsigned char changes_0022[] = {
#embed "../../migrations/0022_changes.sql"
};

static const unsigned char unfinished_uploads_0023[] = {
#embed "../../migrations/0023_unfinished_uploads.sql"
};

static const unsigned char version_floor_0024[] = {
#embed "../../migrations/0024_version_floor.sql"
};

static const unsigned char private_remixes_0025[] = {
#embed "../../migrations/0025_private_remixes.sql"
};

static const unsigned char quotas_0026[] = {
#embed "../../migrations/0026_quotas.sql"
};

static const unsigned char numbers_per_person_0027[] = {
#embed "../../migrations/0027_numbers_per_person.sql"
};

static const unsigned char invitations_0031[] = {
#embed "../../migrations/0031_invitations.sql"
};

static const unsigned char access_tokens_0032[] = {
#embed "../../migrations/0032_access_tokens.sql"
};

static const unsigned char former_usernames_0033[] = {
#embed "../../migrations/0033_former_usernames.sql"
};

static const unsigned char quota_of_an_account_0034[] = {
#embed "../../migrations/0034_quota_of_an_account.sql"
};

static const unsigned char setup_links_0035[] = {
#embed "../../migrations/0035_setup_links.sql"
};

static const unsigned char email_confirmations_0036[] = {
#embed "../../migrations/0036_email_confirmations.sql"
};

static const unsigned char second_factors_0037[] = {
#embed "../../migrations/0037_second_factors.sql"
};

static const unsigned char connections_0038[] = {
#embed "../../migrations/0038_connections.sql"
};

static const unsigned char identities_0039[] = {
#embed "../../migrations/0039_identities.sql"
};

static const unsigned char tags_0040[] = {
#embed "../../migrations/0040_tags.sql"
};

static const unsigned char template_boxes_0041[] = {
#embed "../../migrations/0041_template_boxes.sql"
};

static const unsigned char remixes_0042[] = {
#embed "../../migrations/0042_remixes.sql"
};

static const unsigned char pictures_in_boxes_0043[] = {
#embed "../../migrations/0043_pictures_in_boxes.sql"
};

static const unsigned char same_size_0044[] = {
#embed "../../migrations/0044_same_size.sql"
};

static const unsigned char mapping_tags_0045[] = {
#embed "../../migrations/0045_mapping_tags.sql"
};

static const unsigned char public_tags_0046[] = {
#embed "../../migrations/0046_public_tags.sql"
};

static const unsigned char pictures_of_templates_0048[] = {
#embed "../../migrations/0048_pictures_of_templates.sql"
};

static const unsigned char claimed_events_0051[] = {
#embed "../../migrations/0051_claimed_events.sql"
};

static const unsigned char common_passwords[] = {
#embed "../../wordlists/common-passwords.txt"
};

static const unsigned char emoji_names[] = {
#embed "../../wordlists/emoji-names.txt"
};

static const unsigned char server_0027[] = {
#embed "../../migrations/postgres/0027_base.sql"
};

static const unsigned char server_0028[] = {
#embed "../../migrations/postgres/0028_estimates.sql"
};

static const unsigned char server_0029[] = {
#embed "../../migrations/postgres/0029_objects.sql"
};

static const unsigned char server_0030[] = {
#embed "../../migrations/postgres/0030_moves.sql"
};

static const unsigned char server_0031[] = {
#embed "../../migrations/postgres/0031_invitations.sql"
};

static const unsigned char server_0032[] = {
#embed "../../migrations/postgres/0032_access_tokens.sql"
};

static const unsigned char server_0033[] = {
#embed "../../migrations/postgres/0033_former_usernames.sql"
};

static const unsigned char server_0034[] = {
#embed "../../migrations/postgres/0034_quota_of_an_account.sql"
};

static const unsigned char server_0035[] = {
#embed "../../migrations/postgres/0035_setup_links.sql"
};

static const unsigned char server_0036[] = {
#embed "../../migrations/postgres/0036_email_confirmations.sql"
};

static const unsigned char server_0037[] = {
#embed "../../migrations/postgres/0037_second_factors.sql"
};

static const unsigned char server_0038[] = {
#embed "../../migrations/postgres/0038_connections.sql"
};

static const unsigned char server_0039[] = {
#embed "../../migrations/postgres/0039_identities.sql"
};

static const unsigned char server_0040[] = {
#embed "../../migrations/postgres/0040_tags.sql"
};

static const unsigned char server_0041[] = {
#embed "../../migrations/postgres/0041_template_boxes.sql"
};

static const unsigned char server_0042[] = {
#embed "../../migrations/postgres/0042_remixes.sql"
};

static const unsigned char server_0043[] = {
#embed "../../migrations/postgres/0043_pictures_in_boxes.sql"
};

static const unsigned char server_0044[] = {
#embed "../../migrations/postgres/0044_same_size.sql"
};

static const unsigned char server_0045[] = {
#embed "../../migrations/postgres/0045_mapping_tags.sql"
};

static const unsigned char server_0046[] = {
#embed "../../migrations/postgres/0046_public_tags.sql"
};

static const unsigned char server_0047[] = {
#embed "../../migrations/postgres/0047_pictures_together.sql"
};

static const unsigned char server_0048[] = {
#embed "../../migrations/postgres/0048_pictures_of_templates.sql"
};

static const unsigned char server_0049[] = {
#embed "../../migrations/postgres/0049_reserved_name.sql"
};

static const unsigned char server_0050[] = {
#embed "../../migrations/postgres/0050_popularity.sql"
};

static const asset server_migrations[] = {
    {"0027_base.sql", server_0027, sizeof server_0027},
    {"0028_estimates.sql", server_0028, sizeof server_0028},
    {"0029_objects.sql", server_0029, sizeof server_0029},
    {"0030_moves.sql", server_0030, sizeof server_0030},
    {"0031_invitations.sql", server_0031, sizeof server_0031},
    {"0032_access_tokens.sql", server_0032, sizeof server_0032},
    {"0033_former_usernames.sql", server_0033, sizeof server_0033},
    {"0034_quota_of_an_account.sql", server_0034, sizeof server_0034},
    {"0035_setup_links.sql", server_0035, sizeof server_0035},
    {"0036_email_confirmations.sql", server_0036, sizeof server_0036},
    {"0037_second_factors.sql", server_0037, sizeof server_0037},
    {"0038_connections.sql", server_0038, sizeof server_0038},
    {"0039_identities.sql", server_0039, sizeof server_0039},
    {"0040_tags.sql", server_0040, sizeof server_0040},
    {"0041_template_boxes.sql", server_0041, sizeof server_0041},
    {"0042_remixes.sql", server_0042, sizeof server_0042},
    {"0043_pictures_in_boxes.sql", server_0043, sizeof server_0043},
    {"0044_same_size.sql", server_0044, sizeof server_0044},
    {"0045_mapping_tags.sql", server_0045, sizeof server_0045},
    {"0046_public_tags.sql", server_0046, sizeof server_0046},
    {"0047_pictures_together.sql", server_0047, sizeof server_0047},
    {"0048_pictures_of_templates.sql", server_0048, sizeof server_0048},
    {"0049_reserved_name.sql", server_0049, sizeof server_0049},
    {"0050_popularity.sql", server_0050, sizeof server_0050},
};

static const asset migrations[] = {
    {"0001_memes.sql", memes_0001, sizeof memes_0001},
    {"0002_trash.sql", trash_0002, sizeof trash_0002},
    {"0003_retries.sql", retries_0003, sizeof retries_0003},
    {"0004_totals.sql", totals_0004, sizeof totals_0004},
    {"0005_styles.sql", styles_0005, sizeof styles_0005},
    {"0006_formats.sql", formats_0006, sizeof formats_0006},
    {"0007_recipes.sql", recipes_0007, sizeof recipes_0007},
    {"0008_derived.sql", derived_0008, sizeof derived_0008},
    {"0009_uploads.sql", uploads_0009, sizeof uploads_0009},
    {"0010_templates.sql", templates_0010, sizeof templates_0010},
    {"0011_shares.sql", shares_0011, sizeof shares_0011},
    {"0012_people.sql", people_0012, sizeof people_0012},
    {"0013_ownership.sql", ownership_0013, sizeof ownership_0013},
    {"0014_password_resets.sql", password_resets_0014, sizeof password_resets_0014},
    {"0015_settings.sql", settings_0015, sizeof settings_0015},
    {"0016_admin.sql", admin_0016, sizeof admin_0016},
    {"0017_social.sql", social_0017, sizeof social_0017},
    {"0018_finding.sql", finding_0018, sizeof finding_0018},
    {"0019_notifications.sql", notifications_0019, sizeof notifications_0019},
    {"0020_reports.sql", reports_0020, sizeof reports_0020},
    {"0021_moderation.sql", moderation_0021, sizeof moderation_0021},
    {"0022_changes.sql", changes_0022, sizeof changes_0022},
    {"0023_unfinished_uploads.sql", unfinished_uploads_0023,
     sizeof unfinished_uploads_0023},
    {"0024_version_floor.sql", version_floor_0024, sizeof version_floor_0024},
    {"0025_private_remixes.sql", private_remixes_0025,
     sizeof private_remixes_0025},
    {"0026_quotas.sql", quotas_0026, sizeof quotas_0026},
    {"0027_numbers_per_person.sql", numbers_per_person_0027,
     sizeof numbers_per_person_0027},
    {"0031_invitations.sql", invitations_0031, sizeof invitations_0031},
    {"0032_access_tokens.sql", access_tokens_0032, sizeof access_tokens_0032},
    {"0033_former_usernames.sql", former_usernames_0033, sizeof former_usernames_0033},
    {"0034_quota_of_an_account.sql", quota_of_an_account_0034,
     sizeof quota_of_an_account_0034},
    {"0035_setup_links.sql", setup_links_0035, sizeof setup_links_0035},
    {"0036_email_confirmations.sql", email_confirmations_0036,
     sizeof email_confirmations_0036},
    {"0037_second_factors.sql", second_factors_0037,
     sizeof second_factors_0037},
    {"0038_connections.sql", connections_0038, sizeof connections_0038},
    {"0039_identities.sql", identities_0039, sizeof identities_0039},
    {"0040_tags.sql", tags_0040, sizeof tags_0040},
    {"0041_template_boxes.sql", template_boxes_0041, sizeof template_boxes_0041},
    {"0042_remixes.sql", remixes_0042, sizeof remixes_0042},
    {"0043_pictures_in_boxes.sql", pictures_in_boxes_0043, sizeof pictures_in_boxes_0043},
    {"0044_same_size.sql", same_size_0044, sizeof same_size_0044},
    {"0045_mapping_tags.sql", mapping_tags_0045, sizeof mapping_tags_0045},
    {"0046_public_tags.sql", public_tags_0046, sizeof public_tags_0046},
    {"0048_pictures_of_templates.sql", pictures_of_templates_0048, sizeof pictures_of_templates_0048},
    {"0051_claimed_events.sql", claimed_events_0051, sizeof claimed_events_0051},
};

asset assets_openapi(void) {
  return (asset){"openapi.yaml", openapi, sizeof openapi};
}

asset assets_openapi_json(void) {
  return (asset){"openapi.json", openapi_json, sizeof openapi_json};
}

asset assets_openapi_30(void) {
  return (asset){"openapi-3.0.yaml", openapi_30, sizeof openapi_30};
}

asset assets_common_passwords(void) {
  return (asset){"common-passwords.txt", common_passwords, sizeof common_passwords};
}

asset assets_emoji_names(void) {
  return (asset){"emoji-names.txt", emoji_names, sizeof emoji_names};
}

size_t assets_migration_count(void) {
  return sizeof migrations / sizeof *migrations;
}

size_t assets_server_migration_count(void) {
  return sizeof server_migrations / sizeof *server_migrations;
}

asset assets_server_migration(size_t index) {
  return server_migrations[index];
}

asset assets_migration(size_t index) {
  return migrations[index];
}
