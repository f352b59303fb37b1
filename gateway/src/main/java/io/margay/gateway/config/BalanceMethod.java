package io.margay.gateway.config;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/// By what the next peer is chosen among those that can take a request, and what each server calls
/// it. How it chooses stands in a file of its own in `balance`. In the order of mod_jk's numbers.
public enum BalanceMethod {
    REQUESTS("requests", "Request", "byrequests"),
    TRAFFIC("traffic", "Traffic", "bytraffic"),
    BUSYNESS("busyness", "Busyness", "bybusyness"),
    SESSIONS("sessions", "Session", "byrequests"),
    NEXT("next", "Next", "byrequests"),
    TWO_CHOICES("two-choices", "", ""),
    LEAST_TIME("least-time", "", ""),
    HASH("hash", "", "");

    private final String word;
    private final String modJk;
    private final String modProxy;

    BalanceMethod(String word, String modJk, String modProxy) {
        this.word = word;
        this.modJk = modJk;
        this.modProxy = modProxy;
    }

    /// Its word in `margay.yaml`.
    public String word() {
        return word;
    }

    /// mod_jk's name, whose first letter is enough there; empty = mod_jk has no such method.
    public String modJk() {
        return modJk;
    }

    /// The name of mod_proxy's method that stands for it there; empty = mod_proxy has none.
    public String modProxy() {
        return modProxy;
    }

    /// The words of all, in order.
    public static List<String> words() {
        return Arrays.stream(values()).map(BalanceMethod::word).toList();
    }

    /// The names that mod_jk has, in order.
    public static List<String> namesOfModJk() {
        return names(BalanceMethod::modJk);
    }

    /// The names that mod_proxy has, in order.
    public static List<String> namesOfModProxy() {
        return names(BalanceMethod::modProxy);
    }

    private static List<String> names(Function<BalanceMethod, String> of) {
        return Arrays.stream(values()).map(of).filter(name -> !name.isEmpty()).distinct().toList();
    }

    /// The method of a word of `margay.yaml`.
    public static Optional<BalanceMethod> of(String word) {
        return first(method -> method.word.equals(word));
    }

    /// The method that mod_jk knows by this letter, whatever its case.
    public static Optional<BalanceMethod> ofModJk(char letter) {
        char upper = Character.toUpperCase(letter);
        return first(method -> method.modJk.indexOf(upper) == 0);
    }

    /// The method that mod_proxy knows by this name.
    public static Optional<BalanceMethod> ofModProxy(String name) {
        return name.isEmpty() ? Optional.empty() : first(method -> method.modProxy.equals(name));
    }

    private static Optional<BalanceMethod> first(Predicate<BalanceMethod> which) {
        return Arrays.stream(values()).filter(which).findFirst();
    }
}
