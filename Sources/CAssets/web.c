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

static const unsigned char app_store_js[] = {
#embed "../Web/app/store.js"
};

static const unsigned char app_words_js[] = {
#embed "../Web/app/words.js"
};

static const unsigned char editor_album_js[] = {
#embed "../Web/editor/album.js"
};

static const unsigned char editor_camera_js[] = {
#embed "../Web/editor/camera.js"
};

static const unsigned char editor_caption_field_js[] = {
#embed "../Web/editor/caption-field.js"
};

static const unsigned char editor_conflict_dialog_js[] = {
#embed "../Web/editor/conflict-dialog.js"
};

static const unsigned char editor_controls_js[] = {
#embed "../Web/editor/controls.js"
};

static const unsigned char editor_crop_frame_js[] = {
#embed "../Web/editor/crop-frame.js"
};

static const unsigned char editor_crop_panel_js[] = {
#embed "../Web/editor/crop-panel.js"
};

static const unsigned char editor_decoding_js[] = {
#embed "../Web/editor/decoding.js"
};

static const unsigned char editor_draft_js[] = {
#embed "../Web/editor/draft.js"
};

static const unsigned char editor_editor_page_js[] = {
#embed "../Web/editor/editor-page.js"
};

static const unsigned char editor_editor_panels_js[] = {
#embed "../Web/editor/editor-panels.js"
};

static const unsigned char editor_editor_tools_js[] = {
#embed "../Web/editor/editor-tools.js"
};

static const unsigned char editor_editor_css[] = {
#embed "../Web/editor/editor.css"
};

static const unsigned char editor_faces_js[] = {
#embed "../Web/editor/faces.js"
};

static const unsigned char editor_finishing_js[] = {
#embed "../Web/editor/finishing.js"
};

static const unsigned char editor_fitter_js[] = {
#embed "../Web/editor/fitter.js"
};

static const unsigned char editor_form_js[] = {
#embed "../Web/editor/form.js"
};

static const unsigned char editor_handles_js[] = {
#embed "../Web/editor/handles.js"
};

static const unsigned char editor_ink_js[] = {
#embed "../Web/editor/ink.js"
};

static const unsigned char editor_keyboard_js[] = {
#embed "../Web/editor/keyboard.js"
};

static const unsigned char editor_more_panel_js[] = {
#embed "../Web/editor/more-panel.js"
};

static const unsigned char editor_painter_js[] = {
#embed "../Web/editor/painter.js"
};

static const unsigned char editor_panels_css[] = {
#embed "../Web/editor/panels.css"
};

static const unsigned char editor_picture_js[] = {
#embed "../Web/editor/picture.js"
};

static const unsigned char editor_preview_js[] = {
#embed "../Web/editor/preview.js"
};

static const unsigned char editor_render_js[] = {
#embed "../Web/editor/render.js"
};

static const unsigned char editor_saving_js[] = {
#embed "../Web/editor/saving.js"
};

static const unsigned char editor_stage_css[] = {
#embed "../Web/editor/stage.css"
};

static const unsigned char editor_stage_js[] = {
#embed "../Web/editor/stage.js"
};

static const unsigned char editor_style_panel_js[] = {
#embed "../Web/editor/style-panel.js"
};

static const unsigned char editor_template_dialog_js[] = {
#embed "../Web/editor/template-dialog.js"
};

static const unsigned char editor_words_js[] = {
#embed "../Web/editor/words.js"
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

static const unsigned char share_sending_js[] = {
#embed "../Web/share/sending.js"
};

static const unsigned char share_share_dialog_js[] = {
#embed "../Web/share/share-dialog.js"
};

static const unsigned char share_share_css[] = {
#embed "../Web/share/share.css"
};

static const unsigned char share_share_js[] = {
#embed "../Web/share/share.js"
};

static const unsigned char share_targets_js[] = {
#embed "../Web/share/targets.js"
};

static const unsigned char share_upload_js[] = {
#embed "../Web/share/upload.js"
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
    {"app/store.js", app_store_js, sizeof app_store_js},
    {"app/words.js", app_words_js, sizeof app_words_js},
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
    {"editor/template-dialog.js", editor_template_dialog_js, sizeof editor_template_dialog_js},
    {"editor/words.js", editor_words_js, sizeof editor_words_js},
    {"elements/ask-dialog.js", elements_ask_dialog_js, sizeof elements_ask_dialog_js},
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
    {"sent/meme-cell.js", sent_meme_cell_js, sizeof sent_meme_cell_js},
    {"sent/meme-row.js", sent_meme_row_js, sizeof sent_meme_row_js},
    {"sent/sent-page.js", sent_sent_page_js, sizeof sent_sent_page_js},
    {"sent/sent.css", sent_sent_css, sizeof sent_sent_css},
    {"sent/swipe.js", sent_swipe_js, sizeof sent_swipe_js},
    {"share/sending.js", share_sending_js, sizeof share_sending_js},
    {"share/share-dialog.js", share_share_dialog_js, sizeof share_share_dialog_js},
    {"share/share.css", share_share_css, sizeof share_share_css},
    {"share/share.js", share_share_js, sizeof share_share_js},
    {"share/targets.js", share_targets_js, sizeof share_targets_js},
    {"share/upload.js", share_upload_js, sizeof share_upload_js},
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
