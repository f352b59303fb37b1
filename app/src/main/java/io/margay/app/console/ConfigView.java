package io.margay.app.console;

import io.margay.app.config.file.FileShape;
import io.margay.app.console.ConfigControl.Said;
import io.margay.app.yaml.Outline;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The active configuration beside the one that a reload would read, as the console and scripts see
/// it: without secrets. Stateless.
public final class ConfigView {
    /// Values that are shown at a time, and changes.
    private static final int SHOWN_MAX = 1_000;

    private ConfigView() {}

    /// Reads the configuration again, and compares.
    ///
    /// @param find a word that shown values contain; empty = all
    /// @param withAbsent whether keys are shown as well that are not given
    public static Map<String, Object> of(ConfigControl control, String find, boolean withAbsent) {
        Said now = control.inForce();
        Said next = control.next();
        Outline inForce = inForce(control, now, false);
        Outline read = Outline.of(next.text(), FileShape.root(), false);
        boolean wrong = !next.problems().isEmpty();
        List<Outline.Change> changes =
                read.size() == 0 ? List.of() : inForce.changes(read, SHOWN_MAX);
        Outline listed = withAbsent ? Outline.of(now.text(), FileShape.root(), true) : inForce;
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("name", control.name());
        all.put("ownFile", now.own());
        all.put("since", now.at().toString());
        all.put("commandLine", now.commandLine());
        all.put("state", wrong ? "wrong" : changes.isEmpty() ? "same" : "differs");
        all.put("problems", next.problems());
        all.put("changes", changes.stream().map(ConfigView::change).toList());
        all.put("values", inForce.size());
        all.put(
                "found",
                listed.find(find.toLowerCase(Locale.ROOT), SHOWN_MAX).stream()
                        .map(ConfigView::value)
                        .toList());
        return all;
    }

    private static Outline inForce(ConfigControl control, Said now, boolean withAbsent) {
        Outline started = Outline.of(control.started().text(), FileShape.root(), withAbsent);
        return Outline.of(now.text(), FileShape.root(), withAbsent).after(started);
    }

    private static Map<String, Object> change(Outline.Change change) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("path", change.path());
        one.put("line", change.line());
        one.put("inForce", change.before());
        one.put("file", change.after());
        one.put("default", change.otherwise());
        one.put("atStart", change.atStart());
        return one;
    }

    private static Map<String, Object> value(Outline.Shown value) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("path", value.path());
        one.put("line", value.line());
        one.put("value", value.text());
        one.put("default", value.otherwise());
        return one;
    }
}
