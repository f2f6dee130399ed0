// Written by script/embed: files of Sources/Web.
#include "assets.h"

// #embed is of C23; clang has it in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char admin_act_words_js[] = {
#embed "../../Sources/Web/admin/act-words.js"
};

static const unsigned char admin_admin_backups_js[] = {
#embed "../../Sources/Web/admin/admin-backups.js"
};

static const unsigned char admin_admin_invitations_js[] = {
#embed "../../Sources/Web/admin/admin-invitations.js"
};

static const unsigned char admin_admin_log_js[] = {
#embed "../../Sources/Web/admin/admin-log.js"
};

static const unsigned char admin_admin_memes_js[] = {
#embed "../../Sources/Web/admin/admin-memes.js"
};

static const unsigned char admin_admin_overview_js[] = {
#embed "../../Sources/Web/admin/admin-overview.js"
};

static const unsigned char admin_admin_page_js[] = {
#embed "../../Sources/Web/admin/admin-page.js"
};

static const unsigned char admin_admin_people_js[] = {
#embed "../../Sources/Web/admin/admin-people.js"
};

static const unsigned char admin_admin_reports_js[] = {
#embed "../../Sources/Web/admin/admin-reports.js"
};

static const unsigned char admin_admin_css[] = {
#embed "../../Sources/Web/admin/admin.css"
};

static const unsigned char admin_amounts_js[] = {
#embed "../../Sources/Web/admin/amounts.js"
};

static const unsigned char admin_backup_row_js[] = {
#embed "../../Sources/Web/admin/backup-row.js"
};

static const unsigned char admin_backup_words_js[] = {
#embed "../../Sources/Web/admin/backup-words.js"
};

static const unsigned char admin_bar_plot_js[] = {
#embed "../../Sources/Web/admin/bar-plot.js"
};

static const unsigned char admin_confirm_count_js[] = {
#embed "../../Sources/Web/admin/confirm-count.js"
};

static const unsigned char admin_decide_dialog_js[] = {
#embed "../../Sources/Web/admin/decide-dialog.js"
};

static const unsigned char admin_matching_js[] = {
#embed "../../Sources/Web/admin/matching.js"
};

static const unsigned char admin_plot_card_js[] = {
#embed "../../Sources/Web/admin/plot-card.js"
};

static const unsigned char admin_report_acts_js[] = {
#embed "../../Sources/Web/admin/report-acts.js"
};

static const unsigned char admin_report_card_js[] = {
#embed "../../Sources/Web/admin/report-card.js"
};

static const unsigned char admin_share_bar_js[] = {
#embed "../../Sources/Web/admin/share-bar.js"
};

static const unsigned char admin_svg_js[] = {
#embed "../../Sources/Web/admin/svg.js"
};

static const unsigned char app_api_js[] = {
#embed "../../Sources/Web/app/api.js"
};

static const unsigned char app_appearance_js[] = {
#embed "../../Sources/Web/app/appearance.js"
};

static const unsigned char app_delete_tokens_js[] = {
#embed "../../Sources/Web/app/delete-tokens.js"
};

static const unsigned char app_dom_js[] = {
#embed "../../Sources/Web/app/dom.js"
};

static const unsigned char app_live_js[] = {
#embed "../../Sources/Web/app/live.js"
};

static const unsigned char app_main_js[] = {
#embed "../../Sources/Web/app/main.js"
};

static const unsigned char app_meme_list_js[] = {
#embed "../../Sources/Web/app/meme-list.js"
};

static const unsigned char app_memes_js[] = {
#embed "../../Sources/Web/app/memes.js"
};

static const unsigned char app_page_js[] = {
#embed "../../Sources/Web/app/page.js"
};

static const unsigned char app_part_js[] = {
#embed "../../Sources/Web/app/part.js"
};

static const unsigned char app_places_js[] = {
#embed "../../Sources/Web/app/places.js"
};

static const unsigned char app_preferences_js[] = {
#embed "../../Sources/Web/app/preferences.js"
};

static const unsigned char app_problem_js[] = {
#embed "../../Sources/Web/app/problem.js"
};

static const unsigned char app_router_js[] = {
#embed "../../Sources/Web/app/router.js"
};

static const unsigned char app_session_js[] = {
#embed "../../Sources/Web/app/session.js"
};

static const unsigned char app_shapes_js[] = {
#embed "../../Sources/Web/app/shapes.js"
};

static const unsigned char app_store_js[] = {
#embed "../../Sources/Web/app/store.js"
};

static const unsigned char app_unread_js[] = {
#embed "../../Sources/Web/app/unread.js"
};

static const unsigned char app_upload_js[] = {
#embed "../../Sources/Web/app/upload.js"
};

static const unsigned char app_words_js[] = {
#embed "../../Sources/Web/app/words.js"
};

static const unsigned char docs_html[] = {
#embed "../../Sources/Web/docs.html"
};

static const unsigned char docs_answer_js[] = {
#embed "../../Sources/Web/docs/answer.js"
};

static const unsigned char docs_body_form_js[] = {
#embed "../../Sources/Web/docs/body-form.js"
};

static const unsigned char docs_call_panel_js[] = {
#embed "../../Sources/Web/docs/call-panel.js"
};

static const unsigned char docs_contract_js[] = {
#embed "../../Sources/Web/docs/contract.js"
};

static const unsigned char docs_curl_js[] = {
#embed "../../Sources/Web/docs/curl.js"
};

static const unsigned char docs_docs_css[] = {
#embed "../../Sources/Web/docs/docs.css"
};

static const unsigned char docs_inputs_js[] = {
#embed "../../Sources/Web/docs/inputs.js"
};

static const unsigned char docs_main_js[] = {
#embed "../../Sources/Web/docs/main.js"
};

static const unsigned char docs_markdown_js[] = {
#embed "../../Sources/Web/docs/markdown.js"
};

static const unsigned char docs_responses_js[] = {
#embed "../../Sources/Web/docs/responses.js"
};

static const unsigned char editor_album_js[] = {
#embed "../../Sources/Web/editor/album.js"
};

static const unsigned char editor_camera_js[] = {
#embed "../../Sources/Web/editor/camera.js"
};

static const unsigned char editor_caption_field_js[] = {
#embed "../../Sources/Web/editor/caption-field.js"
};

static const unsigned char editor_conflict_dialog_js[] = {
#embed "../../Sources/Web/editor/conflict-dialog.js"
};

static const unsigned char editor_controls_js[] = {
#embed "../../Sources/Web/editor/controls.js"
};

static const unsigned char editor_crop_frame_js[] = {
#embed "../../Sources/Web/editor/crop-frame.js"
};

static const unsigned char editor_crop_panel_js[] = {
#embed "../../Sources/Web/editor/crop-panel.js"
};

static const unsigned char editor_decoding_js[] = {
#embed "../../Sources/Web/editor/decoding.js"
};

static const unsigned char editor_draft_js[] = {
#embed "../../Sources/Web/editor/draft.js"
};

static const unsigned char editor_editor_page_js[] = {
#embed "../../Sources/Web/editor/editor-page.js"
};

static const unsigned char editor_editor_panels_js[] = {
#embed "../../Sources/Web/editor/editor-panels.js"
};

static const unsigned char editor_editor_tools_js[] = {
#embed "../../Sources/Web/editor/editor-tools.js"
};

static const unsigned char editor_editor_css[] = {
#embed "../../Sources/Web/editor/editor.css"
};

static const unsigned char editor_faces_js[] = {
#embed "../../Sources/Web/editor/faces.js"
};

static const unsigned char editor_finishing_js[] = {
#embed "../../Sources/Web/editor/finishing.js"
};

static const unsigned char editor_fitter_js[] = {
#embed "../../Sources/Web/editor/fitter.js"
};

static const unsigned char editor_form_js[] = {
#embed "../../Sources/Web/editor/form.js"
};

static const unsigned char editor_handles_js[] = {
#embed "../../Sources/Web/editor/handles.js"
};

static const unsigned char editor_ink_js[] = {
#embed "../../Sources/Web/editor/ink.js"
};

static const unsigned char editor_keyboard_js[] = {
#embed "../../Sources/Web/editor/keyboard.js"
};

static const unsigned char editor_more_panel_js[] = {
#embed "../../Sources/Web/editor/more-panel.js"
};

static const unsigned char editor_painter_js[] = {
#embed "../../Sources/Web/editor/painter.js"
};

static const unsigned char editor_panels_css[] = {
#embed "../../Sources/Web/editor/panels.css"
};

static const unsigned char editor_picture_js[] = {
#embed "../../Sources/Web/editor/picture.js"
};

static const unsigned char editor_preview_js[] = {
#embed "../../Sources/Web/editor/preview.js"
};

static const unsigned char editor_render_js[] = {
#embed "../../Sources/Web/editor/render.js"
};

static const unsigned char editor_saving_js[] = {
#embed "../../Sources/Web/editor/saving.js"
};

static const unsigned char editor_stage_css[] = {
#embed "../../Sources/Web/editor/stage.css"
};

static const unsigned char editor_stage_js[] = {
#embed "../../Sources/Web/editor/stage.js"
};

static const unsigned char editor_style_panel_js[] = {
#embed "../../Sources/Web/editor/style-panel.js"
};

static const unsigned char editor_tags_js[] = {
#embed "../../Sources/Web/editor/tags.js"
};

static const unsigned char editor_template_dialog_js[] = {
#embed "../../Sources/Web/editor/template-dialog.js"
};

static const unsigned char editor_words_js[] = {
#embed "../../Sources/Web/editor/words.js"
};

static const unsigned char elements_account_button_js[] = {
#embed "../../Sources/Web/elements/account-button.js"
};

static const unsigned char elements_ask_dialog_js[] = {
#embed "../../Sources/Web/elements/ask-dialog.js"
};

static const unsigned char elements_controls_js[] = {
#embed "../../Sources/Web/elements/controls.js"
};

static const unsigned char elements_field_form_js[] = {
#embed "../../Sources/Web/elements/field-form.js"
};

static const unsigned char elements_fields_js[] = {
#embed "../../Sources/Web/elements/fields.js"
};

static const unsigned char elements_list_keys_js[] = {
#embed "../../Sources/Web/elements/list-keys.js"
};

static const unsigned char elements_menu_sheet_js[] = {
#embed "../../Sources/Web/elements/menu-sheet.js"
};

static const unsigned char elements_menu_js[] = {
#embed "../../Sources/Web/elements/menu.js"
};

static const unsigned char elements_missing_page_js[] = {
#embed "../../Sources/Web/elements/missing-page.js"
};

static const unsigned char elements_notice_bar_js[] = {
#embed "../../Sources/Web/elements/notice-bar.js"
};

static const unsigned char elements_or_reload_js[] = {
#embed "../../Sources/Web/elements/or-reload.js"
};

static const unsigned char elements_problem_note_js[] = {
#embed "../../Sources/Web/elements/problem-note.js"
};

static const unsigned char elements_tab_bar_js[] = {
#embed "../../Sources/Web/elements/tab-bar.js"
};

static const unsigned char elements_windowed_list_js[] = {
#embed "../../Sources/Web/elements/windowed-list.js"
};

static const unsigned char icons_app_180_png[] = {
#embed "../../Sources/Web/icons/app-180.png"
};

static const unsigned char icons_app_192_png[] = {
#embed "../../Sources/Web/icons/app-192.png"
};

static const unsigned char icons_app_512_png[] = {
#embed "../../Sources/Web/icons/app-512.png"
};

static const unsigned char icons_app_maskable_192_png[] = {
#embed "../../Sources/Web/icons/app-maskable-192.png"
};

static const unsigned char icons_app_maskable_512_png[] = {
#embed "../../Sources/Web/icons/app-maskable-512.png"
};

static const unsigned char icons_app_svg[] = {
#embed "../../Sources/Web/icons/app.svg"
};

static const unsigned char icons_icons_svg[] = {
#embed "../../Sources/Web/icons/icons.svg"
};

static const unsigned char index_html[] = {
#embed "../../Sources/Web/index.html"
};

static const unsigned char manifest_webmanifest[] = {
#embed "../../Sources/Web/manifest.webmanifest"
};

static const unsigned char meme_comment_form_js[] = {
#embed "../../Sources/Web/meme/comment-form.js"
};

static const unsigned char meme_comment_item_js[] = {
#embed "../../Sources/Web/meme/comment-item.js"
};

static const unsigned char meme_meme_comments_js[] = {
#embed "../../Sources/Web/meme/meme-comments.js"
};

static const unsigned char meme_meme_facts_js[] = {
#embed "../../Sources/Web/meme/meme-facts.js"
};

static const unsigned char meme_meme_page_js[] = {
#embed "../../Sources/Web/meme/meme-page.js"
};

static const unsigned char meme_meme_remixes_js[] = {
#embed "../../Sources/Web/meme/meme-remixes.js"
};

static const unsigned char meme_meme_css[] = {
#embed "../../Sources/Web/meme/meme.css"
};

static const unsigned char meme_remixes_page_js[] = {
#embed "../../Sources/Web/meme/remixes-page.js"
};

static const unsigned char offline_about_page_js[] = {
#embed "../../Sources/Web/offline/about-page.js"
};

static const unsigned char offline_answers_js[] = {
#embed "../../Sources/Web/offline/answers.js"
};

static const unsigned char offline_install_js[] = {
#embed "../../Sources/Web/offline/install.js"
};

static const unsigned char offline_instead_js[] = {
#embed "../../Sources/Web/offline/instead.js"
};

static const unsigned char offline_leaving_js[] = {
#embed "../../Sources/Web/offline/leaving.js"
};

static const unsigned char offline_newest_js[] = {
#embed "../../Sources/Web/offline/newest.js"
};

static const unsigned char offline_offline_mark_js[] = {
#embed "../../Sources/Web/offline/offline-mark.js"
};

static const unsigned char offline_offline_css[] = {
#embed "../../Sources/Web/offline/offline.css"
};

static const unsigned char offline_outbox_js[] = {
#embed "../../Sources/Web/offline/outbox.js"
};

static const unsigned char offline_owner_js[] = {
#embed "../../Sources/Web/offline/owner.js"
};

static const unsigned char offline_queue_js[] = {
#embed "../../Sources/Web/offline/queue.js"
};

static const unsigned char offline_reach_js[] = {
#embed "../../Sources/Web/offline/reach.js"
};

static const unsigned char offline_sending_js[] = {
#embed "../../Sources/Web/offline/sending.js"
};

static const unsigned char offline_shell_js[] = {
#embed "../../Sources/Web/offline/shell.js"
};

static const unsigned char offline_start_js[] = {
#embed "../../Sources/Web/offline/start.js"
};

static const unsigned char offline_uuid_js[] = {
#embed "../../Sources/Web/offline/uuid.js"
};

static const unsigned char offline_vault_js[] = {
#embed "../../Sources/Web/offline/vault.js"
};

static const unsigned char offline_waiting_page_js[] = {
#embed "../../Sources/Web/offline/waiting-page.js"
};

static const unsigned char offline_waiting_js[] = {
#embed "../../Sources/Web/offline/waiting.js"
};

static const unsigned char offline_worker_js[] = {
#embed "../../Sources/Web/offline/worker.js"
};

static const unsigned char people_claims_js[] = {
#embed "../../Sources/Web/people/claims.js"
};

static const unsigned char people_confirm_email_page_js[] = {
#embed "../../Sources/Web/people/confirm-email-page.js"
};

static const unsigned char people_favorites_page_js[] = {
#embed "../../Sources/Web/people/favorites-page.js"
};

static const unsigned char people_feed_page_js[] = {
#embed "../../Sources/Web/people/feed-page.js"
};

static const unsigned char people_follow_button_js[] = {
#embed "../../Sources/Web/people/follow-button.js"
};

static const unsigned char people_forgot_page_js[] = {
#embed "../../Sources/Web/people/forgot-page.js"
};

static const unsigned char people_guest_links_js[] = {
#embed "../../Sources/Web/people/guest-links.js"
};

static const unsigned char people_guest_page_js[] = {
#embed "../../Sources/Web/people/guest-page.js"
};

static const unsigned char people_guests_css[] = {
#embed "../../Sources/Web/people/guests.css"
};

static const unsigned char people_invitation_box_js[] = {
#embed "../../Sources/Web/people/invitation-box.js"
};

static const unsigned char people_meme_menu_js[] = {
#embed "../../Sources/Web/people/meme-menu.js"
};

static const unsigned char people_meme_shelf_js[] = {
#embed "../../Sources/Web/people/meme-shelf.js"
};

static const unsigned char people_notification_item_js[] = {
#embed "../../Sources/Web/people/notification-item.js"
};

static const unsigned char people_notifications_page_js[] = {
#embed "../../Sources/Web/people/notifications-page.js"
};

static const unsigned char people_people_page_js[] = {
#embed "../../Sources/Web/people/people-page.js"
};

static const unsigned char people_people_css[] = {
#embed "../../Sources/Web/people/people.css"
};

static const unsigned char people_person_list_page_js[] = {
#embed "../../Sources/Web/people/person-list-page.js"
};

static const unsigned char people_person_list_js[] = {
#embed "../../Sources/Web/people/person-list.js"
};

static const unsigned char people_person_menu_js[] = {
#embed "../../Sources/Web/people/person-menu.js"
};

static const unsigned char people_person_row_js[] = {
#embed "../../Sources/Web/people/person-row.js"
};

static const unsigned char people_register_page_js[] = {
#embed "../../Sources/Web/people/register-page.js"
};

static const unsigned char people_report_js[] = {
#embed "../../Sources/Web/people/report.js"
};

static const unsigned char people_reset_page_js[] = {
#embed "../../Sources/Web/people/reset-page.js"
};

static const unsigned char people_save_template_js[] = {
#embed "../../Sources/Web/people/save-template.js"
};

static const unsigned char people_shelf_page_js[] = {
#embed "../../Sources/Web/people/shelf-page.js"
};

static const unsigned char people_sign_in_page_js[] = {
#embed "../../Sources/Web/people/sign-in-page.js"
};

static const unsigned char people_sign_on_button_js[] = {
#embed "../../Sources/Web/people/sign-on-button.js"
};

static const unsigned char people_signed_in_page_js[] = {
#embed "../../Sources/Web/people/signed-in-page.js"
};

static const unsigned char people_tag_page_js[] = {
#embed "../../Sources/Web/people/tag-page.js"
};

static const unsigned char people_user_page_js[] = {
#embed "../../Sources/Web/people/user-page.js"
};

static const unsigned char people_welcome_page_js[] = {
#embed "../../Sources/Web/people/welcome-page.js"
};

static const unsigned char people_you_page_js[] = {
#embed "../../Sources/Web/people/you-page.js"
};

static const unsigned char sent_meme_cell_js[] = {
#embed "../../Sources/Web/sent/meme-cell.js"
};

static const unsigned char sent_meme_row_js[] = {
#embed "../../Sources/Web/sent/meme-row.js"
};

static const unsigned char sent_meme_views_js[] = {
#embed "../../Sources/Web/sent/meme-views.js"
};

static const unsigned char sent_sent_page_js[] = {
#embed "../../Sources/Web/sent/sent-page.js"
};

static const unsigned char sent_sent_css[] = {
#embed "../../Sources/Web/sent/sent.css"
};

static const unsigned char sent_swipe_js[] = {
#embed "../../Sources/Web/sent/swipe.js"
};

static const unsigned char service_worker_js[] = {
#embed "../../Sources/Web/service-worker.js"
};

static const unsigned char settings_account_page_js[] = {
#embed "../../Sources/Web/settings/account-page.js"
};

static const unsigned char settings_captions_page_js[] = {
#embed "../../Sources/Web/settings/captions-page.js"
};

static const unsigned char settings_connection_card_js[] = {
#embed "../../Sources/Web/settings/connection-card.js"
};

static const unsigned char settings_connection_form_js[] = {
#embed "../../Sources/Web/settings/connection-form.js"
};

static const unsigned char settings_connection_page_js[] = {
#embed "../../Sources/Web/settings/connection-page.js"
};

static const unsigned char settings_connection_words_js[] = {
#embed "../../Sources/Web/settings/connection-words.js"
};

static const unsigned char settings_connections_page_js[] = {
#embed "../../Sources/Web/settings/connections-page.js"
};

static const unsigned char settings_connections_css[] = {
#embed "../../Sources/Web/settings/connections.css"
};

static const unsigned char settings_delete_page_js[] = {
#embed "../../Sources/Web/settings/delete-page.js"
};

static const unsigned char settings_deliveries_page_js[] = {
#embed "../../Sources/Web/settings/deliveries-page.js"
};

static const unsigned char settings_device_name_js[] = {
#embed "../../Sources/Web/settings/device-name.js"
};

static const unsigned char settings_devices_page_js[] = {
#embed "../../Sources/Web/settings/devices-page.js"
};

static const unsigned char settings_email_page_js[] = {
#embed "../../Sources/Web/settings/email-page.js"
};

static const unsigned char settings_export_page_js[] = {
#embed "../../Sources/Web/settings/export-page.js"
};

static const unsigned char settings_fresh_page_js[] = {
#embed "../../Sources/Web/settings/fresh-page.js"
};

static const unsigned char settings_invitations_page_js[] = {
#embed "../../Sources/Web/settings/invitations-page.js"
};

static const unsigned char settings_mapping_fields_js[] = {
#embed "../../Sources/Web/settings/mapping-fields.js"
};

static const unsigned char settings_notices_page_js[] = {
#embed "../../Sources/Web/settings/notices-page.js"
};

static const unsigned char settings_password_page_js[] = {
#embed "../../Sources/Web/settings/password-page.js"
};

static const unsigned char settings_profile_page_js[] = {
#embed "../../Sources/Web/settings/profile-page.js"
};

static const unsigned char settings_qr_code_js[] = {
#embed "../../Sources/Web/settings/qr-code.js"
};

static const unsigned char settings_sample_picture_js[] = {
#embed "../../Sources/Web/settings/sample-picture.js"
};

static const unsigned char settings_save_file_js[] = {
#embed "../../Sources/Web/settings/save-file.js"
};

static const unsigned char settings_section_page_js[] = {
#embed "../../Sources/Web/settings/section-page.js"
};

static const unsigned char settings_security_page_js[] = {
#embed "../../Sources/Web/settings/security-page.js"
};

static const unsigned char settings_settings_page_js[] = {
#embed "../../Sources/Web/settings/settings-page.js"
};

static const unsigned char settings_settings_css[] = {
#embed "../../Sources/Web/settings/settings.css"
};

static const unsigned char settings_sign_on_links_js[] = {
#embed "../../Sources/Web/settings/sign-on-links.js"
};

static const unsigned char settings_tokens_page_js[] = {
#embed "../../Sources/Web/settings/tokens-page.js"
};

static const unsigned char settings_username_page_js[] = {
#embed "../../Sources/Web/settings/username-page.js"
};

static const unsigned char share_sending_js[] = {
#embed "../../Sources/Web/share/sending.js"
};

static const unsigned char share_share_dialog_js[] = {
#embed "../../Sources/Web/share/share-dialog.js"
};

static const unsigned char share_share_css[] = {
#embed "../../Sources/Web/share/share.css"
};

static const unsigned char share_share_js[] = {
#embed "../../Sources/Web/share/share.js"
};

static const unsigned char share_targets_js[] = {
#embed "../../Sources/Web/share/targets.js"
};

static const unsigned char share_upload_js[] = {
#embed "../../Sources/Web/share/upload.js"
};

static const unsigned char styles_base_css[] = {
#embed "../../Sources/Web/styles/base.css"
};

static const unsigned char styles_cards_css[] = {
#embed "../../Sources/Web/styles/cards.css"
};

static const unsigned char styles_controls_css[] = {
#embed "../../Sources/Web/styles/controls.css"
};

static const unsigned char styles_forms_css[] = {
#embed "../../Sources/Web/styles/forms.css"
};

static const unsigned char styles_pages_css[] = {
#embed "../../Sources/Web/styles/pages.css"
};

static const unsigned char styles_tokens_css[] = {
#embed "../../Sources/Web/styles/tokens.css"
};

static const asset files[] = {
    {"admin/act-words.js", admin_act_words_js, sizeof admin_act_words_js},
    {"admin/admin-backups.js", admin_admin_backups_js, sizeof admin_admin_backups_js},
    {"admin/admin-invitations.js", admin_admin_invitations_js, sizeof admin_admin_invitations_js},
    {"admin/admin-log.js", admin_admin_log_js, sizeof admin_admin_log_js},
    {"admin/admin-memes.js", admin_admin_memes_js, sizeof admin_admin_memes_js},
    {"admin/admin-overview.js", admin_admin_overview_js, sizeof admin_admin_overview_js},
    {"admin/admin-page.js", admin_admin_page_js, sizeof admin_admin_page_js},
    {"admin/admin-people.js", admin_admin_people_js, sizeof admin_admin_people_js},
    {"admin/admin-reports.js", admin_admin_reports_js, sizeof admin_admin_reports_js},
    {"admin/admin.css", admin_admin_css, sizeof admin_admin_css},
    {"admin/amounts.js", admin_amounts_js, sizeof admin_amounts_js},
    {"admin/backup-row.js", admin_backup_row_js, sizeof admin_backup_row_js},
    {"admin/backup-words.js", admin_backup_words_js, sizeof admin_backup_words_js},
    {"admin/bar-plot.js", admin_bar_plot_js, sizeof admin_bar_plot_js},
    {"admin/confirm-count.js", admin_confirm_count_js, sizeof admin_confirm_count_js},
    {"admin/decide-dialog.js", admin_decide_dialog_js, sizeof admin_decide_dialog_js},
    {"admin/matching.js", admin_matching_js, sizeof admin_matching_js},
    {"admin/plot-card.js", admin_plot_card_js, sizeof admin_plot_card_js},
    {"admin/report-acts.js", admin_report_acts_js, sizeof admin_report_acts_js},
    {"admin/report-card.js", admin_report_card_js, sizeof admin_report_card_js},
    {"admin/share-bar.js", admin_share_bar_js, sizeof admin_share_bar_js},
    {"admin/svg.js", admin_svg_js, sizeof admin_svg_js},
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
    {"app/shapes.js", app_shapes_js, sizeof app_shapes_js},
    {"app/store.js", app_store_js, sizeof app_store_js},
    {"app/unread.js", app_unread_js, sizeof app_unread_js},
    {"app/upload.js", app_upload_js, sizeof app_upload_js},
    {"app/words.js", app_words_js, sizeof app_words_js},
    {"docs.html", docs_html, sizeof docs_html},
    {"docs/answer.js", docs_answer_js, sizeof docs_answer_js},
    {"docs/body-form.js", docs_body_form_js, sizeof docs_body_form_js},
    {"docs/call-panel.js", docs_call_panel_js, sizeof docs_call_panel_js},
    {"docs/contract.js", docs_contract_js, sizeof docs_contract_js},
    {"docs/curl.js", docs_curl_js, sizeof docs_curl_js},
    {"docs/docs.css", docs_docs_css, sizeof docs_docs_css},
    {"docs/inputs.js", docs_inputs_js, sizeof docs_inputs_js},
    {"docs/main.js", docs_main_js, sizeof docs_main_js},
    {"docs/markdown.js", docs_markdown_js, sizeof docs_markdown_js},
    {"docs/responses.js", docs_responses_js, sizeof docs_responses_js},
    {"editor/album.js", editor_album_js, sizeof editor_album_js},
    {"editor/camera.js", editor_camera_js, sizeof editor_camera_js},
    {"editor/caption-field.js", editor_caption_field_js, sizeof editor_caption_field_js},
    {"editor/conflict-dialog.js", editor_conflict_dialog_js, sizeof editor_conflict_dialog_js},
    {"editor/controls.js", editor_controls_js, sizeof editor_controls_js},
    {"editor/crop-frame.js", editor_crop_frame_js, sizeof editor_crop_frame_js},
    {"editor/crop-panel.js", editor_crop_panel_js, sizeof editor_crop_panel_js},
    {"editor/decoding.js", editor_decoding_js, sizeof editor_decoding_js},
    {"editor/draft.js", editor_draft_js, sizeof editor_draft_js},
    {"editor/editor-page.js", editor_editor_page_js, sizeof editor_editor_page_js},
    {"editor/editor-panels.js", editor_editor_panels_js, sizeof editor_editor_panels_js},
    {"editor/editor-tools.js", editor_editor_tools_js, sizeof editor_editor_tools_js},
    {"editor/editor.css", editor_editor_css, sizeof editor_editor_css},
    {"editor/faces.js", editor_faces_js, sizeof editor_faces_js},
    {"editor/finishing.js", editor_finishing_js, sizeof editor_finishing_js},
    {"editor/fitter.js", editor_fitter_js, sizeof editor_fitter_js},
    {"editor/form.js", editor_form_js, sizeof editor_form_js},
    {"editor/handles.js", editor_handles_js, sizeof editor_handles_js},
    {"editor/ink.js", editor_ink_js, sizeof editor_ink_js},
    {"editor/keyboard.js", editor_keyboard_js, sizeof editor_keyboard_js},
    {"editor/more-panel.js", editor_more_panel_js, sizeof editor_more_panel_js},
    {"editor/painter.js", editor_painter_js, sizeof editor_painter_js},
    {"editor/panels.css", editor_panels_css, sizeof editor_panels_css},
    {"editor/picture.js", editor_picture_js, sizeof editor_picture_js},
    {"editor/preview.js", editor_preview_js, sizeof editor_preview_js},
    {"editor/render.js", editor_render_js, sizeof editor_render_js},
    {"editor/saving.js", editor_saving_js, sizeof editor_saving_js},
    {"editor/stage.css", editor_stage_css, sizeof editor_stage_css},
    {"editor/stage.js", editor_stage_js, sizeof editor_stage_js},
    {"editor/style-panel.js", editor_style_panel_js, sizeof editor_style_panel_js},
    {"editor/tags.js", editor_tags_js, sizeof editor_tags_js},
    {"editor/template-dialog.js", editor_template_dialog_js, sizeof editor_template_dialog_js},
    {"editor/words.js", editor_words_js, sizeof editor_words_js},
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
    {"elements/or-reload.js", elements_or_reload_js, sizeof elements_or_reload_js},
    {"elements/problem-note.js", elements_problem_note_js, sizeof elements_problem_note_js},
    {"elements/tab-bar.js", elements_tab_bar_js, sizeof elements_tab_bar_js},
    {"elements/windowed-list.js", elements_windowed_list_js, sizeof elements_windowed_list_js},
    {"icons/app-180.png", icons_app_180_png, sizeof icons_app_180_png},
    {"icons/app-192.png", icons_app_192_png, sizeof icons_app_192_png},
    {"icons/app-512.png", icons_app_512_png, sizeof icons_app_512_png},
    {"icons/app-maskable-192.png", icons_app_maskable_192_png, sizeof icons_app_maskable_192_png},
    {"icons/app-maskable-512.png", icons_app_maskable_512_png, sizeof icons_app_maskable_512_png},
    {"icons/app.svg", icons_app_svg, sizeof icons_app_svg},
    {"icons/icons.svg", icons_icons_svg, sizeof icons_icons_svg},
    {"index.html", index_html, sizeof index_html},
    {"manifest.webmanifest", manifest_webmanifest, sizeof manifest_webmanifest},
    {"meme/comment-form.js", meme_comment_form_js, sizeof meme_comment_form_js},
    {"meme/comment-item.js", meme_comment_item_js, sizeof meme_comment_item_js},
    {"meme/meme-comments.js", meme_meme_comments_js, sizeof meme_meme_comments_js},
    {"meme/meme-facts.js", meme_meme_facts_js, sizeof meme_meme_facts_js},
    {"meme/meme-page.js", meme_meme_page_js, sizeof meme_meme_page_js},
    {"meme/meme-remixes.js", meme_meme_remixes_js, sizeof meme_meme_remixes_js},
    {"meme/meme.css", meme_meme_css, sizeof meme_meme_css},
    {"meme/remixes-page.js", meme_remixes_page_js, sizeof meme_remixes_page_js},
    {"offline/about-page.js", offline_about_page_js, sizeof offline_about_page_js},
    {"offline/answers.js", offline_answers_js, sizeof offline_answers_js},
    {"offline/install.js", offline_install_js, sizeof offline_install_js},
    {"offline/instead.js", offline_instead_js, sizeof offline_instead_js},
    {"offline/leaving.js", offline_leaving_js, sizeof offline_leaving_js},
    {"offline/newest.js", offline_newest_js, sizeof offline_newest_js},
    {"offline/offline-mark.js", offline_offline_mark_js, sizeof offline_offline_mark_js},
    {"offline/offline.css", offline_offline_css, sizeof offline_offline_css},
    {"offline/outbox.js", offline_outbox_js, sizeof offline_outbox_js},
    {"offline/owner.js", offline_owner_js, sizeof offline_owner_js},
    {"offline/queue.js", offline_queue_js, sizeof offline_queue_js},
    {"offline/reach.js", offline_reach_js, sizeof offline_reach_js},
    {"offline/sending.js", offline_sending_js, sizeof offline_sending_js},
    {"offline/shell.js", offline_shell_js, sizeof offline_shell_js},
    {"offline/start.js", offline_start_js, sizeof offline_start_js},
    {"offline/uuid.js", offline_uuid_js, sizeof offline_uuid_js},
    {"offline/vault.js", offline_vault_js, sizeof offline_vault_js},
    {"offline/waiting-page.js", offline_waiting_page_js, sizeof offline_waiting_page_js},
    {"offline/waiting.js", offline_waiting_js, sizeof offline_waiting_js},
    {"offline/worker.js", offline_worker_js, sizeof offline_worker_js},
    {"people/claims.js", people_claims_js, sizeof people_claims_js},
    {"people/confirm-email-page.js", people_confirm_email_page_js, sizeof people_confirm_email_page_js},
    {"people/favorites-page.js", people_favorites_page_js, sizeof people_favorites_page_js},
    {"people/feed-page.js", people_feed_page_js, sizeof people_feed_page_js},
    {"people/follow-button.js", people_follow_button_js, sizeof people_follow_button_js},
    {"people/forgot-page.js", people_forgot_page_js, sizeof people_forgot_page_js},
    {"people/guest-links.js", people_guest_links_js, sizeof people_guest_links_js},
    {"people/guest-page.js", people_guest_page_js, sizeof people_guest_page_js},
    {"people/guests.css", people_guests_css, sizeof people_guests_css},
    {"people/invitation-box.js", people_invitation_box_js, sizeof people_invitation_box_js},
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
    {"people/save-template.js", people_save_template_js, sizeof people_save_template_js},
    {"people/shelf-page.js", people_shelf_page_js, sizeof people_shelf_page_js},
    {"people/sign-in-page.js", people_sign_in_page_js, sizeof people_sign_in_page_js},
    {"people/sign-on-button.js", people_sign_on_button_js, sizeof people_sign_on_button_js},
    {"people/signed-in-page.js", people_signed_in_page_js, sizeof people_signed_in_page_js},
    {"people/tag-page.js", people_tag_page_js, sizeof people_tag_page_js},
    {"people/user-page.js", people_user_page_js, sizeof people_user_page_js},
    {"people/welcome-page.js", people_welcome_page_js, sizeof people_welcome_page_js},
    {"people/you-page.js", people_you_page_js, sizeof people_you_page_js},
    {"sent/meme-cell.js", sent_meme_cell_js, sizeof sent_meme_cell_js},
    {"sent/meme-row.js", sent_meme_row_js, sizeof sent_meme_row_js},
    {"sent/meme-views.js", sent_meme_views_js, sizeof sent_meme_views_js},
    {"sent/sent-page.js", sent_sent_page_js, sizeof sent_sent_page_js},
    {"sent/sent.css", sent_sent_css, sizeof sent_sent_css},
    {"sent/swipe.js", sent_swipe_js, sizeof sent_swipe_js},
    {"service-worker.js", service_worker_js, sizeof service_worker_js},
    {"settings/account-page.js", settings_account_page_js, sizeof settings_account_page_js},
    {"settings/captions-page.js", settings_captions_page_js, sizeof settings_captions_page_js},
    {"settings/connection-card.js", settings_connection_card_js, sizeof settings_connection_card_js},
    {"settings/connection-form.js", settings_connection_form_js, sizeof settings_connection_form_js},
    {"settings/connection-page.js", settings_connection_page_js, sizeof settings_connection_page_js},
    {"settings/connection-words.js", settings_connection_words_js, sizeof settings_connection_words_js},
    {"settings/connections-page.js", settings_connections_page_js, sizeof settings_connections_page_js},
    {"settings/connections.css", settings_connections_css, sizeof settings_connections_css},
    {"settings/delete-page.js", settings_delete_page_js, sizeof settings_delete_page_js},
    {"settings/deliveries-page.js", settings_deliveries_page_js, sizeof settings_deliveries_page_js},
    {"settings/device-name.js", settings_device_name_js, sizeof settings_device_name_js},
    {"settings/devices-page.js", settings_devices_page_js, sizeof settings_devices_page_js},
    {"settings/email-page.js", settings_email_page_js, sizeof settings_email_page_js},
    {"settings/export-page.js", settings_export_page_js, sizeof settings_export_page_js},
    {"settings/fresh-page.js", settings_fresh_page_js, sizeof settings_fresh_page_js},
    {"settings/invitations-page.js", settings_invitations_page_js, sizeof settings_invitations_page_js},
    {"settings/mapping-fields.js", settings_mapping_fields_js, sizeof settings_mapping_fields_js},
    {"settings/notices-page.js", settings_notices_page_js, sizeof settings_notices_page_js},
    {"settings/password-page.js", settings_password_page_js, sizeof settings_password_page_js},
    {"settings/profile-page.js", settings_profile_page_js, sizeof settings_profile_page_js},
    {"settings/qr-code.js", settings_qr_code_js, sizeof settings_qr_code_js},
    {"settings/sample-picture.js", settings_sample_picture_js, sizeof settings_sample_picture_js},
    {"settings/save-file.js", settings_save_file_js, sizeof settings_save_file_js},
    {"settings/section-page.js", settings_section_page_js, sizeof settings_section_page_js},
    {"settings/security-page.js", settings_security_page_js, sizeof settings_security_page_js},
    {"settings/settings-page.js", settings_settings_page_js, sizeof settings_settings_page_js},
    {"settings/settings.css", settings_settings_css, sizeof settings_settings_css},
    {"settings/sign-on-links.js", settings_sign_on_links_js, sizeof settings_sign_on_links_js},
    {"settings/tokens-page.js", settings_tokens_page_js, sizeof settings_tokens_page_js},
    {"settings/username-page.js", settings_username_page_js, sizeof settings_username_page_js},
    {"share/sending.js", share_sending_js, sizeof share_sending_js},
    {"share/share-dialog.js", share_share_dialog_js, sizeof share_share_dialog_js},
    {"share/share.css", share_share_css, sizeof share_share_css},
    {"share/share.js", share_share_js, sizeof share_share_js},
    {"share/targets.js", share_targets_js, sizeof share_targets_js},
    {"share/upload.js", share_upload_js, sizeof share_upload_js},
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
