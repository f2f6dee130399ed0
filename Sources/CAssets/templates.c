// Written by script/embed: files of templates.
#include "assets.h"

// #embed is of C23; clang has it in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char awake_image_png[] = {
#embed "../../templates/awake/image.png"
};

static const unsigned char awake_template_json[] = {
#embed "../../templates/awake/template.json"
};

static const unsigned char cat_with_a_sign_image_png[] = {
#embed "../../templates/cat-with-a-sign/image.png"
};

static const unsigned char cat_with_a_sign_template_json[] = {
#embed "../../templates/cat-with-a-sign/template.json"
};

static const unsigned char chat_image_png[] = {
#embed "../../templates/chat/image.png"
};

static const unsigned char chat_template_json[] = {
#embed "../../templates/chat/template.json"
};

static const unsigned char four_steps_image_png[] = {
#embed "../../templates/four-steps/image.png"
};

static const unsigned char four_steps_template_json[] = {
#embed "../../templates/four-steps/template.json"
};

static const unsigned char headline_image_png[] = {
#embed "../../templates/headline/image.png"
};

static const unsigned char headline_template_json[] = {
#embed "../../templates/headline/template.json"
};

static const unsigned char highway_exit_image_png[] = {
#embed "../../templates/highway-exit/image.png"
};

static const unsigned char highway_exit_template_json[] = {
#embed "../../templates/highway-exit/template.json"
};

static const unsigned char iceberg_image_png[] = {
#embed "../../templates/iceberg/image.png"
};

static const unsigned char iceberg_template_json[] = {
#embed "../../templates/iceberg/template.json"
};

static const unsigned char note_image_png[] = {
#embed "../../templates/note/image.png"
};

static const unsigned char note_template_json[] = {
#embed "../../templates/note/template.json"
};

static const unsigned char pie_chart_image_png[] = {
#embed "../../templates/pie-chart/image.png"
};

static const unsigned char pie_chart_template_json[] = {
#embed "../../templates/pie-chart/template.json"
};

static const unsigned char plan_and_reality_image_png[] = {
#embed "../../templates/plan-and-reality/image.png"
};

static const unsigned char plan_and_reality_template_json[] = {
#embed "../../templates/plan-and-reality/template.json"
};

static const unsigned char podium_image_png[] = {
#embed "../../templates/podium/image.png"
};

static const unsigned char podium_template_json[] = {
#embed "../../templates/podium/template.json"
};

static const unsigned char poster_image_png[] = {
#embed "../../templates/poster/image.png"
};

static const unsigned char poster_template_json[] = {
#embed "../../templates/poster/template.json"
};

static const unsigned char presentation_image_png[] = {
#embed "../../templates/presentation/image.png"
};

static const unsigned char presentation_template_json[] = {
#embed "../../templates/presentation/template.json"
};

static const unsigned char scales_image_png[] = {
#embed "../../templates/scales/image.png"
};

static const unsigned char scales_template_json[] = {
#embed "../../templates/scales/template.json"
};

static const unsigned char two_buttons_image_png[] = {
#embed "../../templates/two-buttons/image.png"
};

static const unsigned char two_buttons_template_json[] = {
#embed "../../templates/two-buttons/template.json"
};

static const unsigned char two_panels_image_png[] = {
#embed "../../templates/two-panels/image.png"
};

static const unsigned char two_panels_template_json[] = {
#embed "../../templates/two-panels/template.json"
};

static const asset files[] = {
    {"awake/image.png", awake_image_png, sizeof awake_image_png},
    {"awake/template.json", awake_template_json, sizeof awake_template_json},
    {"cat-with-a-sign/image.png", cat_with_a_sign_image_png, sizeof cat_with_a_sign_image_png},
    {"cat-with-a-sign/template.json", cat_with_a_sign_template_json, sizeof cat_with_a_sign_template_json},
    {"chat/image.png", chat_image_png, sizeof chat_image_png},
    {"chat/template.json", chat_template_json, sizeof chat_template_json},
    {"four-steps/image.png", four_steps_image_png, sizeof four_steps_image_png},
    {"four-steps/template.json", four_steps_template_json, sizeof four_steps_template_json},
    {"headline/image.png", headline_image_png, sizeof headline_image_png},
    {"headline/template.json", headline_template_json, sizeof headline_template_json},
    {"highway-exit/image.png", highway_exit_image_png, sizeof highway_exit_image_png},
    {"highway-exit/template.json", highway_exit_template_json, sizeof highway_exit_template_json},
    {"iceberg/image.png", iceberg_image_png, sizeof iceberg_image_png},
    {"iceberg/template.json", iceberg_template_json, sizeof iceberg_template_json},
    {"note/image.png", note_image_png, sizeof note_image_png},
    {"note/template.json", note_template_json, sizeof note_template_json},
    {"pie-chart/image.png", pie_chart_image_png, sizeof pie_chart_image_png},
    {"pie-chart/template.json", pie_chart_template_json, sizeof pie_chart_template_json},
    {"plan-and-reality/image.png", plan_and_reality_image_png, sizeof plan_and_reality_image_png},
    {"plan-and-reality/template.json", plan_and_reality_template_json, sizeof plan_and_reality_template_json},
    {"podium/image.png", podium_image_png, sizeof podium_image_png},
    {"podium/template.json", podium_template_json, sizeof podium_template_json},
    {"poster/image.png", poster_image_png, sizeof poster_image_png},
    {"poster/template.json", poster_template_json, sizeof poster_template_json},
    {"presentation/image.png", presentation_image_png, sizeof presentation_image_png},
    {"presentation/template.json", presentation_template_json, sizeof presentation_template_json},
    {"scales/image.png", scales_image_png, sizeof scales_image_png},
    {"scales/template.json", scales_template_json, sizeof scales_template_json},
    {"two-buttons/image.png", two_buttons_image_png, sizeof two_buttons_image_png},
    {"two-buttons/template.json", two_buttons_template_json, sizeof two_buttons_template_json},
    {"two-panels/image.png", two_panels_image_png, sizeof two_panels_image_png},
    {"two-panels/template.json", two_panels_template_json, sizeof two_panels_template_json},
};

size_t assets_template_count(void) {
  return sizeof files / sizeof *files;
}

asset assets_template(size_t index) {
  return files[index];
}
