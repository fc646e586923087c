#include "CPage.h"

// Before C23 an extension, which this compiler has.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char address_js[] = {
#embed "../GeoWeb/Page/Assets/address.js"
};
static const unsigned char arcs_js[] = {
#embed "../GeoWeb/Page/Assets/arcs.js"
};
static const unsigned char begin_js[] = {
#embed "../GeoWeb/Page/Assets/begin.js"
};
static const unsigned char borders_js[] = {
#embed "../GeoWeb/Page/Assets/borders.js"
};
static const unsigned char camera_js[] = {
#embed "../GeoWeb/Page/Assets/camera.js"
};
static const unsigned char changeinks_js[] = {
#embed "../GeoWeb/Page/Assets/changeinks.js"
};
static const unsigned char changelayer_js[] = {
#embed "../GeoWeb/Page/Assets/changelayer.js"
};
static const unsigned char changelist_js[] = {
#embed "../GeoWeb/Page/Assets/changelist.js"
};
static const unsigned char changes_css[] = {
#embed "../GeoWeb/Page/Assets/changes.css"
};
static const unsigned char changes_js[] = {
#embed "../GeoWeb/Page/Assets/changes.js"
};
static const unsigned char changeslider_js[] = {
#embed "../GeoWeb/Page/Assets/changeslider.js"
};
static const unsigned char changeview_js[] = {
#embed "../GeoWeb/Page/Assets/changeview.js"
};
static const unsigned char charts_js[] = {
#embed "../GeoWeb/Page/Assets/charts.js"
};
static const unsigned char children_js[] = {
#embed "../GeoWeb/Page/Assets/children.js"
};
static const unsigned char coasts_js[] = {
#embed "../GeoWeb/Page/Assets/coasts.js"
};
static const unsigned char comparison_js[] = {
#embed "../GeoWeb/Page/Assets/comparison.js"
};
static const unsigned char crumbs_js[] = {
#embed "../GeoWeb/Page/Assets/crumbs.js"
};
static const unsigned char difference_js[] = {
#embed "../GeoWeb/Page/Assets/difference.js"
};
static const unsigned char drawer_js[] = {
#embed "../GeoWeb/Page/Assets/drawer.js"
};
static const unsigned char embedded_js[] = {
#embed "../GeoWeb/Page/Assets/embedded.js"
};
static const unsigned char extras_js[] = {
#embed "../GeoWeb/Page/Assets/extras.js"
};
static const unsigned char fates_js[] = {
#embed "../GeoWeb/Page/Assets/fates.js"
};
static const unsigned char favourites_js[] = {
#embed "../GeoWeb/Page/Assets/favourites.js"
};
static const unsigned char filemoves_js[] = {
#embed "../GeoWeb/Page/Assets/filemoves.js"
};
static const unsigned char files_js[] = {
#embed "../GeoWeb/Page/Assets/files.js"
};
static const unsigned char flights_js[] = {
#embed "../GeoWeb/Page/Assets/flights.js"
};
static const unsigned char follower_js[] = {
#embed "../GeoWeb/Page/Assets/follower.js"
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
static const unsigned char history_js[] = {
#embed "../GeoWeb/Page/Assets/history.js"
};
static const unsigned char index_html[] = {
#embed "../GeoWeb/Page/Assets/index.html"
};
static const unsigned char input_js[] = {
#embed "../GeoWeb/Page/Assets/input.js"
};
static const unsigned char keyboard_js[] = {
#embed "../GeoWeb/Page/Assets/keyboard.js"
};
static const unsigned char labels_js[] = {
#embed "../GeoWeb/Page/Assets/labels.js"
};
static const unsigned char lamps_js[] = {
#embed "../GeoWeb/Page/Assets/lamps.js"
};
static const unsigned char land_js[] = {
#embed "../GeoWeb/Page/Assets/land.js"
};
static const unsigned char lazy_js[] = {
#embed "../GeoWeb/Page/Assets/lazy.js"
};
static const unsigned char lettering_js[] = {
#embed "../GeoWeb/Page/Assets/lettering.js"
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
static const unsigned char moment_js[] = {
#embed "../GeoWeb/Page/Assets/moment.js"
};
static const unsigned char mvt_js[] = {
#embed "../GeoWeb/Page/Assets/mvt.js"
};
static const unsigned char names_js[] = {
#embed "../GeoWeb/Page/Assets/names.js"
};
static const unsigned char outlines_js[] = {
#embed "../GeoWeb/Page/Assets/outlines.js"
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
static const unsigned char places_js[] = {
#embed "../GeoWeb/Page/Assets/places.js"
};
static const unsigned char player_js[] = {
#embed "../GeoWeb/Page/Assets/player.js"
};
static const unsigned char pmtiles_js[] = {
#embed "../GeoWeb/Page/Assets/pmtiles.js"
};
static const unsigned char points_js[] = {
#embed "../GeoWeb/Page/Assets/points.js"
};
static const unsigned char profile_js[] = {
#embed "../GeoWeb/Page/Assets/profile.js"
};
static const unsigned char published_js[] = {
#embed "../GeoWeb/Page/Assets/published.js"
};
static const unsigned char pulses_js[] = {
#embed "../GeoWeb/Page/Assets/pulses.js"
};
static const unsigned char ranks_js[] = {
#embed "../GeoWeb/Page/Assets/ranks.js"
};
static const unsigned char relief_js[] = {
#embed "../GeoWeb/Page/Assets/relief.js"
};
static const unsigned char replay_js[] = {
#embed "../GeoWeb/Page/Assets/replay.js"
};
static const unsigned char rows_js[] = {
#embed "../GeoWeb/Page/Assets/rows.js"
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
static const unsigned char sea_js[] = {
#embed "../GeoWeb/Page/Assets/sea.js"
};
static const unsigned char search_js[] = {
#embed "../GeoWeb/Page/Assets/search.js"
};
static const unsigned char selection_js[] = {
#embed "../GeoWeb/Page/Assets/selection.js"
};
static const unsigned char settings_js[] = {
#embed "../GeoWeb/Page/Assets/settings.js"
};
static const unsigned char sheet_js[] = {
#embed "../GeoWeb/Page/Assets/sheet.js"
};
static const unsigned char shelf_js[] = {
#embed "../GeoWeb/Page/Assets/shelf.js"
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
static const unsigned char start_js[] = {
#embed "../GeoWeb/Page/Assets/start.js"
};
static const unsigned char style_css[] = {
#embed "../GeoWeb/Page/Assets/style.css"
};
static const unsigned char svg_js[] = {
#embed "../GeoWeb/Page/Assets/svg.js"
};
static const unsigned char theme_js[] = {
#embed "../GeoWeb/Page/Assets/theme.js"
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
static const unsigned char timechart_js[] = {
#embed "../GeoWeb/Page/Assets/timechart.js"
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
static const unsigned char timescale_js[] = {
#embed "../GeoWeb/Page/Assets/timescale.js"
};
static const unsigned char timetiles_js[] = {
#embed "../GeoWeb/Page/Assets/timetiles.js"
};
static const unsigned char tints_js[] = {
#embed "../GeoWeb/Page/Assets/tints.js"
};
static const unsigned char tip_js[] = {
#embed "../GeoWeb/Page/Assets/tip.js"
};
static const unsigned char toldland_js[] = {
#embed "../GeoWeb/Page/Assets/toldland.js"
};
static const unsigned char totals_js[] = {
#embed "../GeoWeb/Page/Assets/totals.js"
};
static const unsigned char trackjson_js[] = {
#embed "../GeoWeb/Page/Assets/trackjson.js"
};
static const unsigned char tracklayer_js[] = {
#embed "../GeoWeb/Page/Assets/tracklayer.js"
};
static const unsigned char travellers_js[] = {
#embed "../GeoWeb/Page/Assets/travellers.js"
};
static const unsigned char trends_js[] = {
#embed "../GeoWeb/Page/Assets/trends.js"
};
static const unsigned char ways_js[] = {
#embed "../GeoWeb/Page/Assets/ways.js"
};
static const unsigned char woods_js[] = {
#embed "../GeoWeb/Page/Assets/woods.js"
};
static const unsigned char xml_js[] = {
#embed "../GeoWeb/Page/Assets/xml.js"
};

static const struct page_file page_files[] = {
    {"address.js", address_js, sizeof address_js},
    {"arcs.js", arcs_js, sizeof arcs_js},
    {"begin.js", begin_js, sizeof begin_js},
    {"borders.js", borders_js, sizeof borders_js},
    {"camera.js", camera_js, sizeof camera_js},
    {"changeinks.js", changeinks_js, sizeof changeinks_js},
    {"changelayer.js", changelayer_js, sizeof changelayer_js},
    {"changelist.js", changelist_js, sizeof changelist_js},
    {"changes.css", changes_css, sizeof changes_css},
    {"changes.js", changes_js, sizeof changes_js},
    {"changeslider.js", changeslider_js, sizeof changeslider_js},
    {"changeview.js", changeview_js, sizeof changeview_js},
    {"charts.js", charts_js, sizeof charts_js},
    {"children.js", children_js, sizeof children_js},
    {"coasts.js", coasts_js, sizeof coasts_js},
    {"comparison.js", comparison_js, sizeof comparison_js},
    {"crumbs.js", crumbs_js, sizeof crumbs_js},
    {"difference.js", difference_js, sizeof difference_js},
    {"drawer.js", drawer_js, sizeof drawer_js},
    {"embedded.js", embedded_js, sizeof embedded_js},
    {"extras.js", extras_js, sizeof extras_js},
    {"fates.js", fates_js, sizeof fates_js},
    {"favourites.js", favourites_js, sizeof favourites_js},
    {"filemoves.js", filemoves_js, sizeof filemoves_js},
    {"files.js", files_js, sizeof files_js},
    {"flights.js", flights_js, sizeof flights_js},
    {"follower.js", follower_js, sizeof follower_js},
    {"geo.js", geo_js, sizeof geo_js},
    {"glow.js", glow_js, sizeof glow_js},
    {"gpx.js", gpx_js, sizeof gpx_js},
    {"ground.js", ground_js, sizeof ground_js},
    {"history.js", history_js, sizeof history_js},
    {"index.html", index_html, sizeof index_html},
    {"input.js", input_js, sizeof input_js},
    {"keyboard.js", keyboard_js, sizeof keyboard_js},
    {"labels.js", labels_js, sizeof labels_js},
    {"lamps.js", lamps_js, sizeof lamps_js},
    {"land.js", land_js, sizeof land_js},
    {"lazy.js", lazy_js, sizeof lazy_js},
    {"lettering.js", lettering_js, sizeof lettering_js},
    {"library.js", library_js, sizeof library_js},
    {"lights.js", lights_js, sizeof lights_js},
    {"lighttable.js", lighttable_js, sizeof lighttable_js},
    {"live.js", live_js, sizeof live_js},
    {"main.js", main_js, sizeof main_js},
    {"map.js", map_js, sizeof map_js},
    {"marks.js", marks_js, sizeof marks_js},
    {"mercator.js", mercator_js, sizeof mercator_js},
    {"moment.js", moment_js, sizeof moment_js},
    {"mvt.js", mvt_js, sizeof mvt_js},
    {"names.js", names_js, sizeof names_js},
    {"outlines.js", outlines_js, sizeof outlines_js},
    {"overview.js", overview_js, sizeof overview_js},
    {"pace.js", pace_js, sizeof pace_js},
    {"palette.js", palette_js, sizeof palette_js},
    {"panel.js", panel_js, sizeof panel_js},
    {"places.js", places_js, sizeof places_js},
    {"player.js", player_js, sizeof player_js},
    {"pmtiles.js", pmtiles_js, sizeof pmtiles_js},
    {"points.js", points_js, sizeof points_js},
    {"profile.js", profile_js, sizeof profile_js},
    {"published.js", published_js, sizeof published_js},
    {"pulses.js", pulses_js, sizeof pulses_js},
    {"ranks.js", ranks_js, sizeof ranks_js},
    {"relief.js", relief_js, sizeof relief_js},
    {"replay.js", replay_js, sizeof replay_js},
    {"rows.js", rows_js, sizeof rows_js},
    {"ruler.js", ruler_js, sizeof ruler_js},
    {"rules.js", rules_js, sizeof rules_js},
    {"samples.js", samples_js, sizeof samples_js},
    {"saves.js", saves_js, sizeof saves_js},
    {"sea.js", sea_js, sizeof sea_js},
    {"search.js", search_js, sizeof search_js},
    {"selection.js", selection_js, sizeof selection_js},
    {"settings.js", settings_js, sizeof settings_js},
    {"sheet.js", sheet_js, sizeof sheet_js},
    {"shelf.js", shelf_js, sizeof shelf_js},
    {"sorted.js", sorted_js, sizeof sorted_js},
    {"source.js", source_js, sizeof source_js},
    {"span.js", span_js, sizeof span_js},
    {"start.js", start_js, sizeof start_js},
    {"style.css", style_css, sizeof style_css},
    {"svg.js", svg_js, sizeof svg_js},
    {"theme.js", theme_js, sizeof theme_js},
    {"tiles.js", tiles_js, sizeof tiles_js},
    {"tilestates.js", tilestates_js, sizeof tilestates_js},
    {"time.css", time_css, sizeof time_css},
    {"timebar.js", timebar_js, sizeof timebar_js},
    {"timechart.js", timechart_js, sizeof timechart_js},
    {"timelayer.js", timelayer_js, sizeof timelayer_js},
    {"timelights.js", timelights_js, sizeof timelights_js},
    {"timeline.js", timeline_js, sizeof timeline_js},
    {"timescale.js", timescale_js, sizeof timescale_js},
    {"timetiles.js", timetiles_js, sizeof timetiles_js},
    {"tints.js", tints_js, sizeof tints_js},
    {"tip.js", tip_js, sizeof tip_js},
    {"toldland.js", toldland_js, sizeof toldland_js},
    {"totals.js", totals_js, sizeof totals_js},
    {"trackjson.js", trackjson_js, sizeof trackjson_js},
    {"tracklayer.js", tracklayer_js, sizeof tracklayer_js},
    {"travellers.js", travellers_js, sizeof travellers_js},
    {"trends.js", trends_js, sizeof trends_js},
    {"ways.js", ways_js, sizeof ways_js},
    {"woods.js", woods_js, sizeof woods_js},
    {"xml.js", xml_js, sizeof xml_js},
};

size_t page_file_count(void) { return sizeof page_files / sizeof page_files[0]; }

struct page_file page_file_at(size_t index) { return page_files[index]; }
