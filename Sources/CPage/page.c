#include "CPage.h"

// Before C23, #embed is an extension of this compiler.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char address_js[] = {
#embed "../GeoWeb/Page/Assets/address.js"
};
static const unsigned char begin_js[] = {
#embed "../GeoWeb/Page/Assets/begin.js"
};
static const unsigned char branch_js[] = {
#embed "../GeoWeb/Page/Assets/branch.js"
};
static const unsigned char camera_js[] = {
#embed "../GeoWeb/Page/Assets/camera.js"
};
static const unsigned char changelabels_js[] = {
#embed "../GeoWeb/Page/Assets/changelabels.js"
};
static const unsigned char changelayer_js[] = {
#embed "../GeoWeb/Page/Assets/changelayer.js"
};
static const unsigned char changes_css[] = {
#embed "../GeoWeb/Page/Assets/changes.css"
};
static const unsigned char changes_js[] = {
#embed "../GeoWeb/Page/Assets/changes.js"
};
static const unsigned char changesymbols_js[] = {
#embed "../GeoWeb/Page/Assets/changesymbols.js"
};
static const unsigned char changeview_js[] = {
#embed "../GeoWeb/Page/Assets/changeview.js"
};
static const unsigned char charts_js[] = {
#embed "../GeoWeb/Page/Assets/charts.js"
};
static const unsigned char classes_js[] = {
#embed "../GeoWeb/Page/Assets/classes.js"
};
static const unsigned char comparison_js[] = {
#embed "../GeoWeb/Page/Assets/comparison.js"
};
static const unsigned char deletion_js[] = {
#embed "../GeoWeb/Page/Assets/deletion.js"
};
static const unsigned char drawer_js[] = {
#embed "../GeoWeb/Page/Assets/drawer.js"
};
static const unsigned char early_js[] = {
#embed "../GeoWeb/Page/Assets/early.js"
};
static const unsigned char embedded_js[] = {
#embed "../GeoWeb/Page/Assets/embedded.js"
};
static const unsigned char favourites_js[] = {
#embed "../GeoWeb/Page/Assets/favourites.js"
};
static const unsigned char files_js[] = {
#embed "../GeoWeb/Page/Assets/files.js"
};
static const unsigned char filetypes_js[] = {
#embed "../GeoWeb/Page/Assets/filetypes.js"
};
static const unsigned char film_js[] = {
#embed "../GeoWeb/Page/Assets/film.js"
};
static const unsigned char filmsheet_js[] = {
#embed "../GeoWeb/Page/Assets/filmsheet.js"
};
static const unsigned char filterview_js[] = {
#embed "../GeoWeb/Page/Assets/filterview.js"
};
static const unsigned char follow_js[] = {
#embed "../GeoWeb/Page/Assets/follow.js"
};
static const unsigned char geo_js[] = {
#embed "../GeoWeb/Page/Assets/geo.js"
};
static const unsigned char gpx_js[] = {
#embed "../GeoWeb/Page/Assets/gpx.js"
};
static const unsigned char ground_js[] = {
#embed "../GeoWeb/Page/Assets/ground.js"
};
static const unsigned char history_js[] = {
#embed "../GeoWeb/Page/Assets/history.js"
};
static const unsigned char index_html[] = {
#embed "../GeoWeb/Page/Assets/index.html"
};
static const unsigned char input_js[] = {
#embed "../GeoWeb/Page/Assets/input.js"
};
static const unsigned char kept_js[] = {
#embed "../GeoWeb/Page/Assets/kept.js"
};
static const unsigned char labels_js[] = {
#embed "../GeoWeb/Page/Assets/labels.js"
};
static const unsigned char land_js[] = {
#embed "../GeoWeb/Page/Assets/land.js"
};
static const unsigned char layers_js[] = {
#embed "../GeoWeb/Page/Assets/layers.js"
};
static const unsigned char lazy_js[] = {
#embed "../GeoWeb/Page/Assets/lazy.js"
};
static const unsigned char legend_js[] = {
#embed "../GeoWeb/Page/Assets/legend.js"
};
static const unsigned char lettering_js[] = {
#embed "../GeoWeb/Page/Assets/lettering.js"
};
static const unsigned char level_js[] = {
#embed "../GeoWeb/Page/Assets/level.js"
};
static const unsigned char library_js[] = {
#embed "../GeoWeb/Page/Assets/library.js"
};
static const unsigned char live_js[] = {
#embed "../GeoWeb/Page/Assets/live.js"
};
static const unsigned char main_js[] = {
#embed "../GeoWeb/Page/Assets/main.js"
};
static const unsigned char map_js[] = {
#embed "../GeoWeb/Page/Assets/map.js"
};
static const unsigned char marks_js[] = {
#embed "../GeoWeb/Page/Assets/marks.js"
};
static const unsigned char matches_js[] = {
#embed "../GeoWeb/Page/Assets/matches.js"
};
static const unsigned char mercator_js[] = {
#embed "../GeoWeb/Page/Assets/mercator.js"
};
static const unsigned char momentsums_js[] = {
#embed "../GeoWeb/Page/Assets/momentsums.js"
};
static const unsigned char overview_js[] = {
#embed "../GeoWeb/Page/Assets/overview.js"
};
static const unsigned char palette_js[] = {
#embed "../GeoWeb/Page/Assets/palette.js"
};
static const unsigned char panel_js[] = {
#embed "../GeoWeb/Page/Assets/panel.js"
};
static const unsigned char people_js[] = {
#embed "../GeoWeb/Page/Assets/people.js"
};
static const unsigned char places_js[] = {
#embed "../GeoWeb/Page/Assets/places.js"
};
static const unsigned char placing_js[] = {
#embed "../GeoWeb/Page/Assets/placing.js"
};
static const unsigned char player_js[] = {
#embed "../GeoWeb/Page/Assets/player.js"
};
static const unsigned char pmtiles_js[] = {
#embed "../GeoWeb/Page/Assets/pmtiles.js"
};
static const unsigned char polylines_js[] = {
#embed "../GeoWeb/Page/Assets/polylines.js"
};
static const unsigned char profile_js[] = {
#embed "../GeoWeb/Page/Assets/profile.js"
};
static const unsigned char prominence_js[] = {
#embed "../GeoWeb/Page/Assets/prominence.js"
};
static const unsigned char published_js[] = {
#embed "../GeoWeb/Page/Assets/published.js"
};
static const unsigned char replay_js[] = {
#embed "../GeoWeb/Page/Assets/replay.js"
};
static const unsigned char ruler_js[] = {
#embed "../GeoWeb/Page/Assets/ruler.js"
};
static const unsigned char rules_js[] = {
#embed "../GeoWeb/Page/Assets/rules.js"
};
static const unsigned char samples_js[] = {
#embed "../GeoWeb/Page/Assets/samples.js"
};
static const unsigned char saves_js[] = {
#embed "../GeoWeb/Page/Assets/saves.js"
};
static const unsigned char scale_js[] = {
#embed "../GeoWeb/Page/Assets/scale.js"
};
static const unsigned char schedule_js[] = {
#embed "../GeoWeb/Page/Assets/schedule.js"
};
static const unsigned char sea_js[] = {
#embed "../GeoWeb/Page/Assets/sea.js"
};
static const unsigned char search_js[] = {
#embed "../GeoWeb/Page/Assets/search.js"
};
static const unsigned char searches_js[] = {
#embed "../GeoWeb/Page/Assets/searches.js"
};
static const unsigned char selection_js[] = {
#embed "../GeoWeb/Page/Assets/selection.js"
};
static const unsigned char server_js[] = {
#embed "../GeoWeb/Page/Assets/server.js"
};
static const unsigned char settings_js[] = {
#embed "../GeoWeb/Page/Assets/settings.js"
};
static const unsigned char shapes_js[] = {
#embed "../GeoWeb/Page/Assets/shapes.js"
};
static const unsigned char source_js[] = {
#embed "../GeoWeb/Page/Assets/source.js"
};
static const unsigned char span_js[] = {
#embed "../GeoWeb/Page/Assets/span.js"
};
static const unsigned char start_js[] = {
#embed "../GeoWeb/Page/Assets/start.js"
};
static const unsigned char static_js[] = {
#embed "../GeoWeb/Page/Assets/static.js"
};
static const unsigned char style_css[] = {
#embed "../GeoWeb/Page/Assets/style.css"
};
static const unsigned char summary_js[] = {
#embed "../GeoWeb/Page/Assets/summary.js"
};
static const unsigned char symbols_js[] = {
#embed "../GeoWeb/Page/Assets/symbols.js"
};
static const unsigned char taken_js[] = {
#embed "../GeoWeb/Page/Assets/taken.js"
};
static const unsigned char tiles_js[] = {
#embed "../GeoWeb/Page/Assets/tiles.js"
};
static const unsigned char time_css[] = {
#embed "../GeoWeb/Page/Assets/time.css"
};
static const unsigned char timebar_js[] = {
#embed "../GeoWeb/Page/Assets/timebar.js"
};
static const unsigned char timelayer_js[] = {
#embed "../GeoWeb/Page/Assets/timelayer.js"
};
static const unsigned char timelights_js[] = {
#embed "../GeoWeb/Page/Assets/timelights.js"
};
static const unsigned char timeline_js[] = {
#embed "../GeoWeb/Page/Assets/timeline.js"
};
static const unsigned char timenames_js[] = {
#embed "../GeoWeb/Page/Assets/timenames.js"
};
static const unsigned char timescale_js[] = {
#embed "../GeoWeb/Page/Assets/timescale.js"
};
static const unsigned char timetiles_js[] = {
#embed "../GeoWeb/Page/Assets/timetiles.js"
};
static const unsigned char trackjson_js[] = {
#embed "../GeoWeb/Page/Assets/trackjson.js"
};
static const unsigned char tracklayer_js[] = {
#embed "../GeoWeb/Page/Assets/tracklayer.js"
};
static const unsigned char values_js[] = {
#embed "../GeoWeb/Page/Assets/values.js"
};

static const struct page_file page_files[] = {
    {"address.js", address_js, sizeof address_js},
    {"begin.js", begin_js, sizeof begin_js},
    {"branch.js", branch_js, sizeof branch_js},
    {"camera.js", camera_js, sizeof camera_js},
    {"changelabels.js", changelabels_js, sizeof changelabels_js},
    {"changelayer.js", changelayer_js, sizeof changelayer_js},
    {"changes.css", changes_css, sizeof changes_css},
    {"changes.js", changes_js, sizeof changes_js},
    {"changesymbols.js", changesymbols_js, sizeof changesymbols_js},
    {"changeview.js", changeview_js, sizeof changeview_js},
    {"charts.js", charts_js, sizeof charts_js},
    {"classes.js", classes_js, sizeof classes_js},
    {"comparison.js", comparison_js, sizeof comparison_js},
    {"deletion.js", deletion_js, sizeof deletion_js},
    {"drawer.js", drawer_js, sizeof drawer_js},
    {"early.js", early_js, sizeof early_js},
    {"embedded.js", embedded_js, sizeof embedded_js},
    {"favourites.js", favourites_js, sizeof favourites_js},
    {"files.js", files_js, sizeof files_js},
    {"filetypes.js", filetypes_js, sizeof filetypes_js},
    {"film.js", film_js, sizeof film_js},
    {"filmsheet.js", filmsheet_js, sizeof filmsheet_js},
    {"filterview.js", filterview_js, sizeof filterview_js},
    {"follow.js", follow_js, sizeof follow_js},
    {"geo.js", geo_js, sizeof geo_js},
    {"gpx.js", gpx_js, sizeof gpx_js},
    {"ground.js", ground_js, sizeof ground_js},
    {"history.js", history_js, sizeof history_js},
    {"index.html", index_html, sizeof index_html},
    {"input.js", input_js, sizeof input_js},
    {"kept.js", kept_js, sizeof kept_js},
    {"labels.js", labels_js, sizeof labels_js},
    {"land.js", land_js, sizeof land_js},
    {"layers.js", layers_js, sizeof layers_js},
    {"lazy.js", lazy_js, sizeof lazy_js},
    {"legend.js", legend_js, sizeof legend_js},
    {"lettering.js", lettering_js, sizeof lettering_js},
    {"level.js", level_js, sizeof level_js},
    {"library.js", library_js, sizeof library_js},
    {"live.js", live_js, sizeof live_js},
    {"main.js", main_js, sizeof main_js},
    {"map.js", map_js, sizeof map_js},
    {"marks.js", marks_js, sizeof marks_js},
    {"matches.js", matches_js, sizeof matches_js},
    {"mercator.js", mercator_js, sizeof mercator_js},
    {"momentsums.js", momentsums_js, sizeof momentsums_js},
    {"overview.js", overview_js, sizeof overview_js},
    {"palette.js", palette_js, sizeof palette_js},
    {"panel.js", panel_js, sizeof panel_js},
    {"people.js", people_js, sizeof people_js},
    {"places.js", places_js, sizeof places_js},
    {"placing.js", placing_js, sizeof placing_js},
    {"player.js", player_js, sizeof player_js},
    {"pmtiles.js", pmtiles_js, sizeof pmtiles_js},
    {"polylines.js", polylines_js, sizeof polylines_js},
    {"profile.js", profile_js, sizeof profile_js},
    {"prominence.js", prominence_js, sizeof prominence_js},
    {"published.js", published_js, sizeof published_js},
    {"replay.js", replay_js, sizeof replay_js},
    {"ruler.js", ruler_js, sizeof ruler_js},
    {"rules.js", rules_js, sizeof rules_js},
    {"samples.js", samples_js, sizeof samples_js},
    {"saves.js", saves_js, sizeof saves_js},
    {"scale.js", scale_js, sizeof scale_js},
    {"schedule.js", schedule_js, sizeof schedule_js},
    {"sea.js", sea_js, sizeof sea_js},
    {"search.js", search_js, sizeof search_js},
    {"searches.js", searches_js, sizeof searches_js},
    {"selection.js", selection_js, sizeof selection_js},
    {"server.js", server_js, sizeof server_js},
    {"settings.js", settings_js, sizeof settings_js},
    {"shapes.js", shapes_js, sizeof shapes_js},
    {"source.js", source_js, sizeof source_js},
    {"span.js", span_js, sizeof span_js},
    {"start.js", start_js, sizeof start_js},
    {"static.js", static_js, sizeof static_js},
    {"style.css", style_css, sizeof style_css},
    {"summary.js", summary_js, sizeof summary_js},
    {"symbols.js", symbols_js, sizeof symbols_js},
    {"taken.js", taken_js, sizeof taken_js},
    {"tiles.js", tiles_js, sizeof tiles_js},
    {"time.css", time_css, sizeof time_css},
    {"timebar.js", timebar_js, sizeof timebar_js},
    {"timelayer.js", timelayer_js, sizeof timelayer_js},
    {"timelights.js", timelights_js, sizeof timelights_js},
    {"timeline.js", timeline_js, sizeof timeline_js},
    {"timenames.js", timenames_js, sizeof timenames_js},
    {"timescale.js", timescale_js, sizeof timescale_js},
    {"timetiles.js", timetiles_js, sizeof timetiles_js},
    {"trackjson.js", trackjson_js, sizeof trackjson_js},
    {"tracklayer.js", tracklayer_js, sizeof tracklayer_js},
    {"values.js", values_js, sizeof values_js},
};

size_t page_file_count(void) { return sizeof page_files / sizeof page_files[0]; }

struct page_file page_file_at(size_t index) { return page_files[index]; }
