#include "CPage.h"

// Before C23, #embed is an extension of this compiler.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char address_js[] = {
#embed "../GeoWeb/Page/Assets/address.js"
};
static const unsigned char apart_js[] = {
#embed "../GeoWeb/Page/Assets/apart.js"
};
static const unsigned char begin_js[] = {
#embed "../GeoWeb/Page/Assets/begin.js"
};
static const unsigned char blocks_js[] = {
#embed "../GeoWeb/Page/Assets/blocks.js"
};
static const unsigned char borders_js[] = {
#embed "../GeoWeb/Page/Assets/borders.js"
};
static const unsigned char branch_js[] = {
#embed "../GeoWeb/Page/Assets/branch.js"
};
static const unsigned char camera_js[] = {
#embed "../GeoWeb/Page/Assets/camera.js"
};
static const unsigned char captions_js[] = {
#embed "../GeoWeb/Page/Assets/captions.js"
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
static const unsigned char changesigns_js[] = {
#embed "../GeoWeb/Page/Assets/changesigns.js"
};
static const unsigned char changesizes_js[] = {
#embed "../GeoWeb/Page/Assets/changesizes.js"
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
static const unsigned char coastside_js[] = {
#embed "../GeoWeb/Page/Assets/coastside.js"
};
static const unsigned char comparison_js[] = {
#embed "../GeoWeb/Page/Assets/comparison.js"
};
static const unsigned char counters_js[] = {
#embed "../GeoWeb/Page/Assets/counters.js"
};
static const unsigned char crumbs_js[] = {
#embed "../GeoWeb/Page/Assets/crumbs.js"
};
static const unsigned char deletion_js[] = {
#embed "../GeoWeb/Page/Assets/deletion.js"
};
static const unsigned char dots_js[] = {
#embed "../GeoWeb/Page/Assets/dots.js"
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
static const unsigned char fates_js[] = {
#embed "../GeoWeb/Page/Assets/fates.js"
};
static const unsigned char favourites_js[] = {
#embed "../GeoWeb/Page/Assets/favourites.js"
};
static const unsigned char files_js[] = {
#embed "../GeoWeb/Page/Assets/files.js"
};
static const unsigned char film_js[] = {
#embed "../GeoWeb/Page/Assets/film.js"
};
static const unsigned char filmsheet_js[] = {
#embed "../GeoWeb/Page/Assets/filmsheet.js"
};
static const unsigned char filmstage_js[] = {
#embed "../GeoWeb/Page/Assets/filmstage.js"
};
static const unsigned char firstview_js[] = {
#embed "../GeoWeb/Page/Assets/firstview.js"
};
static const unsigned char flights_js[] = {
#embed "../GeoWeb/Page/Assets/flights.js"
};
static const unsigned char follow_js[] = {
#embed "../GeoWeb/Page/Assets/follow.js"
};
static const unsigned char geo_js[] = {
#embed "../GeoWeb/Page/Assets/geo.js"
};
static const unsigned char glow_js[] = {
#embed "../GeoWeb/Page/Assets/glow.js"
};
static const unsigned char gpx_js[] = {
#embed "../GeoWeb/Page/Assets/gpx.js"
};
static const unsigned char ground_js[] = {
#embed "../GeoWeb/Page/Assets/ground.js"
};
static const unsigned char groundsigns_js[] = {
#embed "../GeoWeb/Page/Assets/groundsigns.js"
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
static const unsigned char lights_js[] = {
#embed "../GeoWeb/Page/Assets/lights.js"
};
static const unsigned char lighttable_js[] = {
#embed "../GeoWeb/Page/Assets/lighttable.js"
};
static const unsigned char links_js[] = {
#embed "../GeoWeb/Page/Assets/links.js"
};
static const unsigned char lists_js[] = {
#embed "../GeoWeb/Page/Assets/lists.js"
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
static const unsigned char mercator_js[] = {
#embed "../GeoWeb/Page/Assets/mercator.js"
};
static const unsigned char momentsums_js[] = {
#embed "../GeoWeb/Page/Assets/momentsums.js"
};
static const unsigned char mvt_js[] = {
#embed "../GeoWeb/Page/Assets/mvt.js"
};
static const unsigned char names_js[] = {
#embed "../GeoWeb/Page/Assets/names.js"
};
static const unsigned char overview_js[] = {
#embed "../GeoWeb/Page/Assets/overview.js"
};
static const unsigned char pace_js[] = {
#embed "../GeoWeb/Page/Assets/pace.js"
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
static const unsigned char pick_js[] = {
#embed "../GeoWeb/Page/Assets/pick.js"
};
static const unsigned char places_js[] = {
#embed "../GeoWeb/Page/Assets/places.js"
};
static const unsigned char plates_js[] = {
#embed "../GeoWeb/Page/Assets/plates.js"
};
static const unsigned char player_js[] = {
#embed "../GeoWeb/Page/Assets/player.js"
};
static const unsigned char pmtiles_js[] = {
#embed "../GeoWeb/Page/Assets/pmtiles.js"
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
static const unsigned char ranking_js[] = {
#embed "../GeoWeb/Page/Assets/ranking.js"
};
static const unsigned char recent_js[] = {
#embed "../GeoWeb/Page/Assets/recent.js"
};
static const unsigned char relief_js[] = {
#embed "../GeoWeb/Page/Assets/relief.js"
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
static const unsigned char savefilm_js[] = {
#embed "../GeoWeb/Page/Assets/savefilm.js"
};
static const unsigned char saves_js[] = {
#embed "../GeoWeb/Page/Assets/saves.js"
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
static const unsigned char shelf_js[] = {
#embed "../GeoWeb/Page/Assets/shelf.js"
};
static const unsigned char shellpaths_js[] = {
#embed "../GeoWeb/Page/Assets/shellpaths.js"
};
static const unsigned char shores_js[] = {
#embed "../GeoWeb/Page/Assets/shores.js"
};
static const unsigned char signposts_js[] = {
#embed "../GeoWeb/Page/Assets/signposts.js"
};
static const unsigned char signs_js[] = {
#embed "../GeoWeb/Page/Assets/signs.js"
};
static const unsigned char sizes_js[] = {
#embed "../GeoWeb/Page/Assets/sizes.js"
};
static const unsigned char sorted_js[] = {
#embed "../GeoWeb/Page/Assets/sorted.js"
};
static const unsigned char source_js[] = {
#embed "../GeoWeb/Page/Assets/source.js"
};
static const unsigned char span_js[] = {
#embed "../GeoWeb/Page/Assets/span.js"
};
static const unsigned char spark_js[] = {
#embed "../GeoWeb/Page/Assets/spark.js"
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
static const unsigned char summaries_js[] = {
#embed "../GeoWeb/Page/Assets/summaries.js"
};
static const unsigned char summary_js[] = {
#embed "../GeoWeb/Page/Assets/summary.js"
};
static const unsigned char svg_js[] = {
#embed "../GeoWeb/Page/Assets/svg.js"
};
static const unsigned char symbols_js[] = {
#embed "../GeoWeb/Page/Assets/symbols.js"
};
static const unsigned char taken_js[] = {
#embed "../GeoWeb/Page/Assets/taken.js"
};
static const unsigned char tides_js[] = {
#embed "../GeoWeb/Page/Assets/tides.js"
};
static const unsigned char tiles_js[] = {
#embed "../GeoWeb/Page/Assets/tiles.js"
};
static const unsigned char tilestates_js[] = {
#embed "../GeoWeb/Page/Assets/tilestates.js"
};
static const unsigned char time_css[] = {
#embed "../GeoWeb/Page/Assets/time.css"
};
static const unsigned char timebar_js[] = {
#embed "../GeoWeb/Page/Assets/timebar.js"
};
static const unsigned char timecaption_js[] = {
#embed "../GeoWeb/Page/Assets/timecaption.js"
};
static const unsigned char timekey_js[] = {
#embed "../GeoWeb/Page/Assets/timekey.js"
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
static const unsigned char timescene_js[] = {
#embed "../GeoWeb/Page/Assets/timescene.js"
};
static const unsigned char timetiles_js[] = {
#embed "../GeoWeb/Page/Assets/timetiles.js"
};
static const unsigned char toldland_js[] = {
#embed "../GeoWeb/Page/Assets/toldland.js"
};
static const unsigned char trackjson_js[] = {
#embed "../GeoWeb/Page/Assets/trackjson.js"
};
static const unsigned char tracklayer_js[] = {
#embed "../GeoWeb/Page/Assets/tracklayer.js"
};
static const unsigned char ways_js[] = {
#embed "../GeoWeb/Page/Assets/ways.js"
};
static const unsigned char zoomend_js[] = {
#embed "../GeoWeb/Page/Assets/zoomend.js"
};

static const struct page_file page_files[] = {
    {"address.js", address_js, sizeof address_js},
    {"apart.js", apart_js, sizeof apart_js},
    {"begin.js", begin_js, sizeof begin_js},
    {"blocks.js", blocks_js, sizeof blocks_js},
    {"borders.js", borders_js, sizeof borders_js},
    {"branch.js", branch_js, sizeof branch_js},
    {"camera.js", camera_js, sizeof camera_js},
    {"captions.js", captions_js, sizeof captions_js},
    {"changelayer.js", changelayer_js, sizeof changelayer_js},
    {"changes.css", changes_css, sizeof changes_css},
    {"changes.js", changes_js, sizeof changes_js},
    {"changesigns.js", changesigns_js, sizeof changesigns_js},
    {"changesizes.js", changesizes_js, sizeof changesizes_js},
    {"changesymbols.js", changesymbols_js, sizeof changesymbols_js},
    {"changeview.js", changeview_js, sizeof changeview_js},
    {"charts.js", charts_js, sizeof charts_js},
    {"coastside.js", coastside_js, sizeof coastside_js},
    {"comparison.js", comparison_js, sizeof comparison_js},
    {"counters.js", counters_js, sizeof counters_js},
    {"crumbs.js", crumbs_js, sizeof crumbs_js},
    {"deletion.js", deletion_js, sizeof deletion_js},
    {"dots.js", dots_js, sizeof dots_js},
    {"drawer.js", drawer_js, sizeof drawer_js},
    {"early.js", early_js, sizeof early_js},
    {"embedded.js", embedded_js, sizeof embedded_js},
    {"fates.js", fates_js, sizeof fates_js},
    {"favourites.js", favourites_js, sizeof favourites_js},
    {"files.js", files_js, sizeof files_js},
    {"film.js", film_js, sizeof film_js},
    {"filmsheet.js", filmsheet_js, sizeof filmsheet_js},
    {"filmstage.js", filmstage_js, sizeof filmstage_js},
    {"firstview.js", firstview_js, sizeof firstview_js},
    {"flights.js", flights_js, sizeof flights_js},
    {"follow.js", follow_js, sizeof follow_js},
    {"geo.js", geo_js, sizeof geo_js},
    {"glow.js", glow_js, sizeof glow_js},
    {"gpx.js", gpx_js, sizeof gpx_js},
    {"ground.js", ground_js, sizeof ground_js},
    {"groundsigns.js", groundsigns_js, sizeof groundsigns_js},
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
    {"lights.js", lights_js, sizeof lights_js},
    {"lighttable.js", lighttable_js, sizeof lighttable_js},
    {"links.js", links_js, sizeof links_js},
    {"lists.js", lists_js, sizeof lists_js},
    {"live.js", live_js, sizeof live_js},
    {"main.js", main_js, sizeof main_js},
    {"map.js", map_js, sizeof map_js},
    {"marks.js", marks_js, sizeof marks_js},
    {"mercator.js", mercator_js, sizeof mercator_js},
    {"momentsums.js", momentsums_js, sizeof momentsums_js},
    {"mvt.js", mvt_js, sizeof mvt_js},
    {"names.js", names_js, sizeof names_js},
    {"overview.js", overview_js, sizeof overview_js},
    {"pace.js", pace_js, sizeof pace_js},
    {"palette.js", palette_js, sizeof palette_js},
    {"panel.js", panel_js, sizeof panel_js},
    {"people.js", people_js, sizeof people_js},
    {"pick.js", pick_js, sizeof pick_js},
    {"places.js", places_js, sizeof places_js},
    {"plates.js", plates_js, sizeof plates_js},
    {"player.js", player_js, sizeof player_js},
    {"pmtiles.js", pmtiles_js, sizeof pmtiles_js},
    {"profile.js", profile_js, sizeof profile_js},
    {"prominence.js", prominence_js, sizeof prominence_js},
    {"published.js", published_js, sizeof published_js},
    {"ranking.js", ranking_js, sizeof ranking_js},
    {"recent.js", recent_js, sizeof recent_js},
    {"relief.js", relief_js, sizeof relief_js},
    {"replay.js", replay_js, sizeof replay_js},
    {"ruler.js", ruler_js, sizeof ruler_js},
    {"rules.js", rules_js, sizeof rules_js},
    {"samples.js", samples_js, sizeof samples_js},
    {"savefilm.js", savefilm_js, sizeof savefilm_js},
    {"saves.js", saves_js, sizeof saves_js},
    {"schedule.js", schedule_js, sizeof schedule_js},
    {"sea.js", sea_js, sizeof sea_js},
    {"search.js", search_js, sizeof search_js},
    {"selection.js", selection_js, sizeof selection_js},
    {"server.js", server_js, sizeof server_js},
    {"settings.js", settings_js, sizeof settings_js},
    {"shapes.js", shapes_js, sizeof shapes_js},
    {"shelf.js", shelf_js, sizeof shelf_js},
    {"shellpaths.js", shellpaths_js, sizeof shellpaths_js},
    {"shores.js", shores_js, sizeof shores_js},
    {"signposts.js", signposts_js, sizeof signposts_js},
    {"signs.js", signs_js, sizeof signs_js},
    {"sizes.js", sizes_js, sizeof sizes_js},
    {"sorted.js", sorted_js, sizeof sorted_js},
    {"source.js", source_js, sizeof source_js},
    {"span.js", span_js, sizeof span_js},
    {"spark.js", spark_js, sizeof spark_js},
    {"start.js", start_js, sizeof start_js},
    {"static.js", static_js, sizeof static_js},
    {"style.css", style_css, sizeof style_css},
    {"summaries.js", summaries_js, sizeof summaries_js},
    {"summary.js", summary_js, sizeof summary_js},
    {"svg.js", svg_js, sizeof svg_js},
    {"symbols.js", symbols_js, sizeof symbols_js},
    {"taken.js", taken_js, sizeof taken_js},
    {"tides.js", tides_js, sizeof tides_js},
    {"tiles.js", tiles_js, sizeof tiles_js},
    {"tilestates.js", tilestates_js, sizeof tilestates_js},
    {"time.css", time_css, sizeof time_css},
    {"timebar.js", timebar_js, sizeof timebar_js},
    {"timecaption.js", timecaption_js, sizeof timecaption_js},
    {"timekey.js", timekey_js, sizeof timekey_js},
    {"timelayer.js", timelayer_js, sizeof timelayer_js},
    {"timelights.js", timelights_js, sizeof timelights_js},
    {"timeline.js", timeline_js, sizeof timeline_js},
    {"timenames.js", timenames_js, sizeof timenames_js},
    {"timescale.js", timescale_js, sizeof timescale_js},
    {"timescene.js", timescene_js, sizeof timescene_js},
    {"timetiles.js", timetiles_js, sizeof timetiles_js},
    {"toldland.js", toldland_js, sizeof toldland_js},
    {"trackjson.js", trackjson_js, sizeof trackjson_js},
    {"tracklayer.js", tracklayer_js, sizeof tracklayer_js},
    {"ways.js", ways_js, sizeof ways_js},
    {"zoomend.js", zoomend_js, sizeof zoomend_js},
};

size_t page_file_count(void) { return sizeof page_files / sizeof page_files[0]; }

struct page_file page_file_at(size_t index) { return page_files[index]; }
