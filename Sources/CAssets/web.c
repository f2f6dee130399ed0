// Written by script/embed: the files of Sources/Web.
#include "assets.h"

// #embed is of C23; clang has it in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char app_api_js[] = {
#embed "../Web/app/api.js"
};

static const unsigned char app_appearance_js[] = {
#embed "../Web/app/appearance.js"
};

static const unsigned char app_delete_tokens_js[] = {
#embed "../Web/app/delete-tokens.js"
};

static const unsigned char app_dom_js[] = {
#embed "../Web/app/dom.js"
};

static const unsigned char app_live_js[] = {
#embed "../Web/app/live.js"
};

static const unsigned char app_main_js[] = {
#embed "../Web/app/main.js"
};

static const unsigned char app_meme_list_js[] = {
#embed "../Web/app/meme-list.js"
};

static const unsigned char app_memes_js[] = {
#embed "../Web/app/memes.js"
};

static const unsigned char app_page_js[] = {
#embed "../Web/app/page.js"
};

static const unsigned char app_part_js[] = {
#embed "../Web/app/part.js"
};

static const unsigned char app_places_js[] = {
#embed "../Web/app/places.js"
};

static const unsigned char app_preferences_js[] = {
#embed "../Web/app/preferences.js"
};

static const unsigned char app_problem_js[] = {
#embed "../Web/app/problem.js"
};

static const unsigned char app_router_js[] = {
#embed "../Web/app/router.js"
};

static const unsigned char app_session_js[] = {
#embed "../Web/app/session.js"
};

static const unsigned char app_store_js[] = {
#embed "../Web/app/store.js"
};

static const unsigned char app_unread_js[] = {
#embed "../Web/app/unread.js"
};

static const unsigned char app_words_js[] = {
#embed "../Web/app/words.js"
};

static const unsigned char editor_editor_page_js[] = {
#embed "../Web/editor/editor-page.js"
};

static const unsigned char elements_account_button_js[] = {
#embed "../Web/elements/account-button.js"
};

static const unsigned char elements_ask_dialog_js[] = {
#embed "../Web/elements/ask-dialog.js"
};

static const unsigned char elements_controls_js[] = {
#embed "../Web/elements/controls.js"
};

static const unsigned char elements_field_form_js[] = {
#embed "../Web/elements/field-form.js"
};

static const unsigned char elements_fields_js[] = {
#embed "../Web/elements/fields.js"
};

static const unsigned char elements_list_keys_js[] = {
#embed "../Web/elements/list-keys.js"
};

static const unsigned char elements_menu_sheet_js[] = {
#embed "../Web/elements/menu-sheet.js"
};

static const unsigned char elements_menu_js[] = {
#embed "../Web/elements/menu.js"
};

static const unsigned char elements_missing_page_js[] = {
#embed "../Web/elements/missing-page.js"
};

static const unsigned char elements_notice_bar_js[] = {
#embed "../Web/elements/notice-bar.js"
};

static const unsigned char elements_problem_note_js[] = {
#embed "../Web/elements/problem-note.js"
};

static const unsigned char elements_tab_bar_js[] = {
#embed "../Web/elements/tab-bar.js"
};

static const unsigned char elements_windowed_list_js[] = {
#embed "../Web/elements/windowed-list.js"
};

static const unsigned char icons_app_svg[] = {
#embed "../Web/icons/app.svg"
};

static const unsigned char icons_icons_svg[] = {
#embed "../Web/icons/icons.svg"
};

static const unsigned char index_html[] = {
#embed "../Web/index.html"
};

static const unsigned char manifest_webmanifest[] = {
#embed "../Web/manifest.webmanifest"
};

static const unsigned char meme_comment_form_js[] = {
#embed "../Web/meme/comment-form.js"
};

static const unsigned char meme_comment_item_js[] = {
#embed "../Web/meme/comment-item.js"
};

static const unsigned char meme_meme_comments_js[] = {
#embed "../Web/meme/meme-comments.js"
};

static const unsigned char meme_meme_facts_js[] = {
#embed "../Web/meme/meme-facts.js"
};

static const unsigned char meme_meme_page_js[] = {
#embed "../Web/meme/meme-page.js"
};

static const unsigned char meme_meme_css[] = {
#embed "../Web/meme/meme.css"
};

static const unsigned char meme_share_js[] = {
#embed "../Web/meme/share.js"
};

static const unsigned char people_claims_js[] = {
#embed "../Web/people/claims.js"
};

static const unsigned char people_favorites_page_js[] = {
#embed "../Web/people/favorites-page.js"
};

static const unsigned char people_feed_page_js[] = {
#embed "../Web/people/feed-page.js"
};

static const unsigned char people_follow_button_js[] = {
#embed "../Web/people/follow-button.js"
};

static const unsigned char people_forgot_page_js[] = {
#embed "../Web/people/forgot-page.js"
};

static const unsigned char people_guest_links_js[] = {
#embed "../Web/people/guest-links.js"
};

static const unsigned char people_guest_page_js[] = {
#embed "../Web/people/guest-page.js"
};

static const unsigned char people_guests_css[] = {
#embed "../Web/people/guests.css"
};

static const unsigned char people_meme_menu_js[] = {
#embed "../Web/people/meme-menu.js"
};

static const unsigned char people_meme_shelf_js[] = {
#embed "../Web/people/meme-shelf.js"
};

static const unsigned char people_notification_item_js[] = {
#embed "../Web/people/notification-item.js"
};

static const unsigned char people_notifications_page_js[] = {
#embed "../Web/people/notifications-page.js"
};

static const unsigned char people_people_page_js[] = {
#embed "../Web/people/people-page.js"
};

static const unsigned char people_people_css[] = {
#embed "../Web/people/people.css"
};

static const unsigned char people_person_list_page_js[] = {
#embed "../Web/people/person-list-page.js"
};

static const unsigned char people_person_list_js[] = {
#embed "../Web/people/person-list.js"
};

static const unsigned char people_person_menu_js[] = {
#embed "../Web/people/person-menu.js"
};

static const unsigned char people_person_row_js[] = {
#embed "../Web/people/person-row.js"
};

static const unsigned char people_register_page_js[] = {
#embed "../Web/people/register-page.js"
};

static const unsigned char people_report_js[] = {
#embed "../Web/people/report.js"
};

static const unsigned char people_reset_page_js[] = {
#embed "../Web/people/reset-page.js"
};

static const unsigned char people_sign_in_page_js[] = {
#embed "../Web/people/sign-in-page.js"
};

static const unsigned char people_user_page_js[] = {
#embed "../Web/people/user-page.js"
};

static const unsigned char people_welcome_page_js[] = {
#embed "../Web/people/welcome-page.js"
};

static const unsigned char people_you_page_js[] = {
#embed "../Web/people/you-page.js"
};

static const unsigned char sent_meme_cell_js[] = {
#embed "../Web/sent/meme-cell.js"
};

static const unsigned char sent_meme_row_js[] = {
#embed "../Web/sent/meme-row.js"
};

static const unsigned char sent_meme_views_js[] = {
#embed "../Web/sent/meme-views.js"
};

static const unsigned char sent_sent_page_js[] = {
#embed "../Web/sent/sent-page.js"
};

static const unsigned char sent_sent_css[] = {
#embed "../Web/sent/sent.css"
};

static const unsigned char sent_swipe_js[] = {
#embed "../Web/sent/swipe.js"
};

static const unsigned char settings_captions_page_js[] = {
#embed "../Web/settings/captions-page.js"
};

static const unsigned char settings_delete_page_js[] = {
#embed "../Web/settings/delete-page.js"
};

static const unsigned char settings_device_name_js[] = {
#embed "../Web/settings/device-name.js"
};

static const unsigned char settings_devices_page_js[] = {
#embed "../Web/settings/devices-page.js"
};

static const unsigned char settings_email_page_js[] = {
#embed "../Web/settings/email-page.js"
};

static const unsigned char settings_export_page_js[] = {
#embed "../Web/settings/export-page.js"
};

static const unsigned char settings_notices_page_js[] = {
#embed "../Web/settings/notices-page.js"
};

static const unsigned char settings_password_page_js[] = {
#embed "../Web/settings/password-page.js"
};

static const unsigned char settings_profile_page_js[] = {
#embed "../Web/settings/profile-page.js"
};

static const unsigned char settings_sample_picture_js[] = {
#embed "../Web/settings/sample-picture.js"
};

static const unsigned char settings_section_page_js[] = {
#embed "../Web/settings/section-page.js"
};

static const unsigned char settings_settings_page_js[] = {
#embed "../Web/settings/settings-page.js"
};

static const unsigned char settings_settings_css[] = {
#embed "../Web/settings/settings.css"
};

static const unsigned char styles_base_css[] = {
#embed "../Web/styles/base.css"
};

static const unsigned char styles_cards_css[] = {
#embed "../Web/styles/cards.css"
};

static const unsigned char styles_controls_css[] = {
#embed "../Web/styles/controls.css"
};

static const unsigned char styles_forms_css[] = {
#embed "../Web/styles/forms.css"
};

static const unsigned char styles_pages_css[] = {
#embed "../Web/styles/pages.css"
};

static const unsigned char styles_tokens_css[] = {
#embed "../Web/styles/tokens.css"
};

static const asset files[] = {
    {"app/api.js", app_api_js, sizeof app_api_js},
    {"app/appearance.js", app_appearance_js, sizeof app_appearance_js},
    {"app/delete-tokens.js", app_delete_tokens_js, sizeof app_delete_tokens_js},
    {"app/dom.js", app_dom_js, sizeof app_dom_js},
    {"app/live.js", app_live_js, sizeof app_live_js},
    {"app/main.js", app_main_js, sizeof app_main_js},
    {"app/meme-list.js", app_meme_list_js, sizeof app_meme_list_js},
    {"app/memes.js", app_memes_js, sizeof app_memes_js},
    {"app/page.js", app_page_js, sizeof app_page_js},
    {"app/part.js", app_part_js, sizeof app_part_js},
    {"app/places.js", app_places_js, sizeof app_places_js},
    {"app/preferences.js", app_preferences_js, sizeof app_preferences_js},
    {"app/problem.js", app_problem_js, sizeof app_problem_js},
    {"app/router.js", app_router_js, sizeof app_router_js},
    {"app/session.js", app_session_js, sizeof app_session_js},
    {"app/store.js", app_store_js, sizeof app_store_js},
    {"app/unread.js", app_unread_js, sizeof app_unread_js},
    {"app/words.js", app_words_js, sizeof app_words_js},
    {"editor/editor-page.js", editor_editor_page_js, sizeof editor_editor_page_js},
    {"elements/account-button.js", elements_account_button_js, sizeof elements_account_button_js},
    {"elements/ask-dialog.js", elements_ask_dialog_js, sizeof elements_ask_dialog_js},
    {"elements/controls.js", elements_controls_js, sizeof elements_controls_js},
    {"elements/field-form.js", elements_field_form_js, sizeof elements_field_form_js},
    {"elements/fields.js", elements_fields_js, sizeof elements_fields_js},
    {"elements/list-keys.js", elements_list_keys_js, sizeof elements_list_keys_js},
    {"elements/menu-sheet.js", elements_menu_sheet_js, sizeof elements_menu_sheet_js},
    {"elements/menu.js", elements_menu_js, sizeof elements_menu_js},
    {"elements/missing-page.js", elements_missing_page_js, sizeof elements_missing_page_js},
    {"elements/notice-bar.js", elements_notice_bar_js, sizeof elements_notice_bar_js},
    {"elements/problem-note.js", elements_problem_note_js, sizeof elements_problem_note_js},
    {"elements/tab-bar.js", elements_tab_bar_js, sizeof elements_tab_bar_js},
    {"elements/windowed-list.js", elements_windowed_list_js, sizeof elements_windowed_list_js},
    {"icons/app.svg", icons_app_svg, sizeof icons_app_svg},
    {"icons/icons.svg", icons_icons_svg, sizeof icons_icons_svg},
    {"index.html", index_html, sizeof index_html},
    {"manifest.webmanifest", manifest_webmanifest, sizeof manifest_webmanifest},
    {"meme/comment-form.js", meme_comment_form_js, sizeof meme_comment_form_js},
    {"meme/comment-item.js", meme_comment_item_js, sizeof meme_comment_item_js},
    {"meme/meme-comments.js", meme_meme_comments_js, sizeof meme_meme_comments_js},
    {"meme/meme-facts.js", meme_meme_facts_js, sizeof meme_meme_facts_js},
    {"meme/meme-page.js", meme_meme_page_js, sizeof meme_meme_page_js},
    {"meme/meme.css", meme_meme_css, sizeof meme_meme_css},
    {"meme/share.js", meme_share_js, sizeof meme_share_js},
    {"people/claims.js", people_claims_js, sizeof people_claims_js},
    {"people/favorites-page.js", people_favorites_page_js, sizeof people_favorites_page_js},
    {"people/feed-page.js", people_feed_page_js, sizeof people_feed_page_js},
    {"people/follow-button.js", people_follow_button_js, sizeof people_follow_button_js},
    {"people/forgot-page.js", people_forgot_page_js, sizeof people_forgot_page_js},
    {"people/guest-links.js", people_guest_links_js, sizeof people_guest_links_js},
    {"people/guest-page.js", people_guest_page_js, sizeof people_guest_page_js},
    {"people/guests.css", people_guests_css, sizeof people_guests_css},
    {"people/meme-menu.js", people_meme_menu_js, sizeof people_meme_menu_js},
    {"people/meme-shelf.js", people_meme_shelf_js, sizeof people_meme_shelf_js},
    {"people/notification-item.js", people_notification_item_js, sizeof people_notification_item_js},
    {"people/notifications-page.js", people_notifications_page_js, sizeof people_notifications_page_js},
    {"people/people-page.js", people_people_page_js, sizeof people_people_page_js},
    {"people/people.css", people_people_css, sizeof people_people_css},
    {"people/person-list-page.js", people_person_list_page_js, sizeof people_person_list_page_js},
    {"people/person-list.js", people_person_list_js, sizeof people_person_list_js},
    {"people/person-menu.js", people_person_menu_js, sizeof people_person_menu_js},
    {"people/person-row.js", people_person_row_js, sizeof people_person_row_js},
    {"people/register-page.js", people_register_page_js, sizeof people_register_page_js},
    {"people/report.js", people_report_js, sizeof people_report_js},
    {"people/reset-page.js", people_reset_page_js, sizeof people_reset_page_js},
    {"people/sign-in-page.js", people_sign_in_page_js, sizeof people_sign_in_page_js},
    {"people/user-page.js", people_user_page_js, sizeof people_user_page_js},
    {"people/welcome-page.js", people_welcome_page_js, sizeof people_welcome_page_js},
    {"people/you-page.js", people_you_page_js, sizeof people_you_page_js},
    {"sent/meme-cell.js", sent_meme_cell_js, sizeof sent_meme_cell_js},
    {"sent/meme-row.js", sent_meme_row_js, sizeof sent_meme_row_js},
    {"sent/meme-views.js", sent_meme_views_js, sizeof sent_meme_views_js},
    {"sent/sent-page.js", sent_sent_page_js, sizeof sent_sent_page_js},
    {"sent/sent.css", sent_sent_css, sizeof sent_sent_css},
    {"sent/swipe.js", sent_swipe_js, sizeof sent_swipe_js},
    {"settings/captions-page.js", settings_captions_page_js, sizeof settings_captions_page_js},
    {"settings/delete-page.js", settings_delete_page_js, sizeof settings_delete_page_js},
    {"settings/device-name.js", settings_device_name_js, sizeof settings_device_name_js},
    {"settings/devices-page.js", settings_devices_page_js, sizeof settings_devices_page_js},
    {"settings/email-page.js", settings_email_page_js, sizeof settings_email_page_js},
    {"settings/export-page.js", settings_export_page_js, sizeof settings_export_page_js},
    {"settings/notices-page.js", settings_notices_page_js, sizeof settings_notices_page_js},
    {"settings/password-page.js", settings_password_page_js, sizeof settings_password_page_js},
    {"settings/profile-page.js", settings_profile_page_js, sizeof settings_profile_page_js},
    {"settings/sample-picture.js", settings_sample_picture_js, sizeof settings_sample_picture_js},
    {"settings/section-page.js", settings_section_page_js, sizeof settings_section_page_js},
    {"settings/settings-page.js", settings_settings_page_js, sizeof settings_settings_page_js},
    {"settings/settings.css", settings_settings_css, sizeof settings_settings_css},
    {"styles/base.css", styles_base_css, sizeof styles_base_css},
    {"styles/cards.css", styles_cards_css, sizeof styles_cards_css},
    {"styles/controls.css", styles_controls_css, sizeof styles_controls_css},
    {"styles/forms.css", styles_forms_css, sizeof styles_forms_css},
    {"styles/pages.css", styles_pages_css, sizeof styles_pages_css},
    {"styles/tokens.css", styles_tokens_css, sizeof styles_tokens_css},
};

size_t assets_web_count(void) {
  return sizeof files / sizeof *files;
}

asset assets_web(size_t index) {
  return files[index];
}
