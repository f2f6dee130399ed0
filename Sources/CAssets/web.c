// Written by script/embed: the files of Sources/Web.
#include "assets.h"

// #embed is of C23; clang has it in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char app_api_js[] = {
#embed "../Web/app/api.js"
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

static const unsigned char app_problem_js[] = {
#embed "../Web/app/problem.js"
};

static const unsigned char app_router_js[] = {
#embed "../Web/app/router.js"
};

static const unsigned char app_session_js[] = {
#embed "../Web/app/session.js"
};

static const unsigned char app_shapes_js[] = {
#embed "../Web/app/shapes.js"
};

static const unsigned char app_store_js[] = {
#embed "../Web/app/store.js"
};

static const unsigned char app_upload_js[] = {
#embed "../Web/app/upload.js"
};

static const unsigned char app_words_js[] = {
#embed "../Web/app/words.js"
};

static const unsigned char editor_editor_page_js[] = {
#embed "../Web/editor/editor-page.js"
};

static const unsigned char elements_ask_dialog_js[] = {
#embed "../Web/elements/ask-dialog.js"
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

static const unsigned char icons_app_180_png[] = {
#embed "../Web/icons/app-180.png"
};

static const unsigned char icons_app_192_png[] = {
#embed "../Web/icons/app-192.png"
};

static const unsigned char icons_app_512_png[] = {
#embed "../Web/icons/app-512.png"
};

static const unsigned char icons_app_maskable_192_png[] = {
#embed "../Web/icons/app-maskable-192.png"
};

static const unsigned char icons_app_maskable_512_png[] = {
#embed "../Web/icons/app-maskable-512.png"
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

static const unsigned char offline_answers_js[] = {
#embed "../Web/offline/answers.js"
};

static const unsigned char offline_install_js[] = {
#embed "../Web/offline/install.js"
};

static const unsigned char offline_instead_js[] = {
#embed "../Web/offline/instead.js"
};

static const unsigned char offline_newest_js[] = {
#embed "../Web/offline/newest.js"
};

static const unsigned char offline_offline_mark_js[] = {
#embed "../Web/offline/offline-mark.js"
};

static const unsigned char offline_offline_css[] = {
#embed "../Web/offline/offline.css"
};

static const unsigned char offline_outbox_js[] = {
#embed "../Web/offline/outbox.js"
};

static const unsigned char offline_queue_js[] = {
#embed "../Web/offline/queue.js"
};

static const unsigned char offline_reach_js[] = {
#embed "../Web/offline/reach.js"
};

static const unsigned char offline_sending_js[] = {
#embed "../Web/offline/sending.js"
};

static const unsigned char offline_shell_js[] = {
#embed "../Web/offline/shell.js"
};

static const unsigned char offline_start_js[] = {
#embed "../Web/offline/start.js"
};

static const unsigned char offline_vault_js[] = {
#embed "../Web/offline/vault.js"
};

static const unsigned char offline_waiting_page_js[] = {
#embed "../Web/offline/waiting-page.js"
};

static const unsigned char offline_waiting_js[] = {
#embed "../Web/offline/waiting.js"
};

static const unsigned char offline_worker_js[] = {
#embed "../Web/offline/worker.js"
};

static const unsigned char sent_meme_cell_js[] = {
#embed "../Web/sent/meme-cell.js"
};

static const unsigned char sent_meme_row_js[] = {
#embed "../Web/sent/meme-row.js"
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

static const unsigned char service_worker_js[] = {
#embed "../Web/service-worker.js"
};

static const unsigned char styles_base_css[] = {
#embed "../Web/styles/base.css"
};

static const unsigned char styles_controls_css[] = {
#embed "../Web/styles/controls.css"
};

static const unsigned char styles_pages_css[] = {
#embed "../Web/styles/pages.css"
};

static const unsigned char styles_tokens_css[] = {
#embed "../Web/styles/tokens.css"
};

static const asset files[] = {
    {"app/api.js", app_api_js, sizeof app_api_js},
    {"app/delete-tokens.js", app_delete_tokens_js, sizeof app_delete_tokens_js},
    {"app/dom.js", app_dom_js, sizeof app_dom_js},
    {"app/live.js", app_live_js, sizeof app_live_js},
    {"app/main.js", app_main_js, sizeof app_main_js},
    {"app/meme-list.js", app_meme_list_js, sizeof app_meme_list_js},
    {"app/memes.js", app_memes_js, sizeof app_memes_js},
    {"app/page.js", app_page_js, sizeof app_page_js},
    {"app/part.js", app_part_js, sizeof app_part_js},
    {"app/places.js", app_places_js, sizeof app_places_js},
    {"app/problem.js", app_problem_js, sizeof app_problem_js},
    {"app/router.js", app_router_js, sizeof app_router_js},
    {"app/session.js", app_session_js, sizeof app_session_js},
    {"app/shapes.js", app_shapes_js, sizeof app_shapes_js},
    {"app/store.js", app_store_js, sizeof app_store_js},
    {"app/upload.js", app_upload_js, sizeof app_upload_js},
    {"app/words.js", app_words_js, sizeof app_words_js},
    {"editor/editor-page.js", editor_editor_page_js, sizeof editor_editor_page_js},
    {"elements/ask-dialog.js", elements_ask_dialog_js, sizeof elements_ask_dialog_js},
    {"elements/missing-page.js", elements_missing_page_js, sizeof elements_missing_page_js},
    {"elements/notice-bar.js", elements_notice_bar_js, sizeof elements_notice_bar_js},
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
    {"meme/meme.css", meme_meme_css, sizeof meme_meme_css},
    {"meme/share.js", meme_share_js, sizeof meme_share_js},
    {"offline/answers.js", offline_answers_js, sizeof offline_answers_js},
    {"offline/install.js", offline_install_js, sizeof offline_install_js},
    {"offline/instead.js", offline_instead_js, sizeof offline_instead_js},
    {"offline/newest.js", offline_newest_js, sizeof offline_newest_js},
    {"offline/offline-mark.js", offline_offline_mark_js, sizeof offline_offline_mark_js},
    {"offline/offline.css", offline_offline_css, sizeof offline_offline_css},
    {"offline/outbox.js", offline_outbox_js, sizeof offline_outbox_js},
    {"offline/queue.js", offline_queue_js, sizeof offline_queue_js},
    {"offline/reach.js", offline_reach_js, sizeof offline_reach_js},
    {"offline/sending.js", offline_sending_js, sizeof offline_sending_js},
    {"offline/shell.js", offline_shell_js, sizeof offline_shell_js},
    {"offline/start.js", offline_start_js, sizeof offline_start_js},
    {"offline/vault.js", offline_vault_js, sizeof offline_vault_js},
    {"offline/waiting-page.js", offline_waiting_page_js, sizeof offline_waiting_page_js},
    {"offline/waiting.js", offline_waiting_js, sizeof offline_waiting_js},
    {"offline/worker.js", offline_worker_js, sizeof offline_worker_js},
    {"sent/meme-cell.js", sent_meme_cell_js, sizeof sent_meme_cell_js},
    {"sent/meme-row.js", sent_meme_row_js, sizeof sent_meme_row_js},
    {"sent/sent-page.js", sent_sent_page_js, sizeof sent_sent_page_js},
    {"sent/sent.css", sent_sent_css, sizeof sent_sent_css},
    {"sent/swipe.js", sent_swipe_js, sizeof sent_swipe_js},
    {"service-worker.js", service_worker_js, sizeof service_worker_js},
    {"styles/base.css", styles_base_css, sizeof styles_base_css},
    {"styles/controls.css", styles_controls_css, sizeof styles_controls_css},
    {"styles/pages.css", styles_pages_css, sizeof styles_pages_css},
    {"styles/tokens.css", styles_tokens_css, sizeof styles_tokens_css},
};

size_t assets_web_count(void) {
  return sizeof files / sizeof *files;
}

asset assets_web(size_t index) {
  return files[index];
}
