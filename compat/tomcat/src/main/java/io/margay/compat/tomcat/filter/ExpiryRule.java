package io.margay.compat.tomcat.filter;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// How long an answer may be kept: a time after it was asked for, or after it was last changed.
/// Immutable.
///
/// ```
/// A3600 | M3600
/// (access | now | modification) [plus] NUMBER UNIT [NUMBER UNIT]...
/// ```
record ExpiryRule(boolean fromModification, List<Step> steps) {
    private static final Pattern SHORT = Pattern.compile("([AM])([0-9]{1,9})");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");
    private static final int YEARS_MAX = 1000;

    /// One `NUMBER UNIT`.
    record Step(int amount, ChronoUnit unit) {}

    /// @throws IllegalArgumentException with a text safe to show
    static ExpiryRule parse(String text) {
        Matcher abbreviated = SHORT.matcher(text);
        ExpiryRule rule;
        if (abbreviated.matches()) {
            int seconds = Integer.parseInt(abbreviated.group(2));
            rule =
                    new ExpiryRule(
                            abbreviated.group(1).equals("M"),
                            List.of(new Step(seconds, ChronoUnit.SECONDS)));
        } else {
            rule = parseWords(List.of(text.strip().split("\\s+")));
        }
        requireReasonable(rule);
        return rule;
    }

    private static ExpiryRule parseWords(List<String> words) {
        boolean fromModification =
                switch (words.getFirst().toLowerCase(Locale.ROOT)) {
                    case "access", "now" -> false;
                    case "modification" -> true;
                    default ->
                            throw new IllegalArgumentException(
                                    "it must start with access, now, modification, or be as A3600"
                                            + " or M3600");
                };
        int at = words.size() > 1 && words.get(1).equalsIgnoreCase("plus") ? 2 : 1;
        if (at >= words.size() || (words.size() - at) % 2 != 0) {
            throw new IllegalArgumentException(
                    "after '" + words.getFirst() + "' come pairs such as 2 hours");
        }
        List<Step> steps = new ArrayList<>();
        for (; at < words.size(); at += 2) {
            String number = words.get(at);
            if (!NUMBER.matcher(number).matches()) {
                throw new IllegalArgumentException("'" + number + "' is not a number");
            }
            steps.add(new Step(Integer.parseInt(number), unit(words.get(at + 1))));
        }
        return new ExpiryRule(fromModification, List.copyOf(steps));
    }

    private static ChronoUnit unit(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "year", "years" -> ChronoUnit.YEARS;
            case "month", "months" -> ChronoUnit.MONTHS;
            case "week", "weeks" -> ChronoUnit.WEEKS;
            case "day", "days" -> ChronoUnit.DAYS;
            case "hour", "hours" -> ChronoUnit.HOURS;
            case "minute", "minutes" -> ChronoUnit.MINUTES;
            case "second", "seconds" -> ChronoUnit.SECONDS;
            default ->
                    throw new IllegalArgumentException(
                            "'"
                                    + word
                                    + "' is not a unit: years, months, weeks, days, hours, minutes"
                                    + " or seconds");
        };
    }

    private static void requireReasonable(ExpiryRule rule) {
        try {
            if (rule.after(Instant.EPOCH)
                    .isBefore(
                            Instant.EPOCH
                                    .atZone(ZoneOffset.UTC)
                                    .plusYears(YEARS_MAX)
                                    .toInstant())) {
                return;
            }
        } catch (DateTimeException | ArithmeticException e) {
            // Too far away to be told is too far away.
            throw tooFar(e);
        }
        throw tooFar(null);
    }

    private static IllegalArgumentException tooFar(@Nullable Exception e) {
        return new IllegalArgumentException("it is more than " + YEARS_MAX + " years ahead", e);
    }

    /// When what was asked for or changed at `base` expires.
    Instant after(Instant base) {
        ZonedDateTime time = base.atZone(ZoneOffset.UTC);
        for (Step step : steps) {
            time = time.plus(step.amount(), step.unit());
        }
        return time.toInstant();
    }
}
