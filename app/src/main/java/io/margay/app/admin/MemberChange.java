package io.margay.app.admin;

import io.margay.app.admin.AdminException.Kind;
import io.margay.gateway.config.Activation;
import io.margay.gateway.config.PeerConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What is changed of a member of an upstream until the server ends. Immutable; null = stays.
public record MemberChange(
        @Nullable Activation activation,
        @Nullable Double weight,
        @Nullable Integer distance,
        @Nullable Integer busyMax) {
    private static final int DISTANCE_MAX = 1_000;
    private static final int BUSY_MAX = 1_000_000;

    /// As the parameters `activation`, `weight`, `distance` and `busy-max` say it.
    static MemberChange of(Map<String, String> parameters) throws AdminException {
        MemberChange change =
                new MemberChange(
                        activation(parameters.get("activation")),
                        weight(parameters.get("weight")),
                        whole(parameters, "distance", DISTANCE_MAX),
                        whole(parameters, "busy-max", BUSY_MAX));
        if (change.equals(new MemberChange(null, null, null, null))) {
            throw new AdminException(
                    Kind.INVALID,
                    "one of activation, weight, distance and busy-max is to be given");
        }
        return change;
    }

    private static @Nullable Activation activation(@Nullable String text) throws AdminException {
        for (Activation each : Activation.values()) {
            if (each.name().toLowerCase(Locale.ROOT).equals(text)) {
                return each;
            }
        }
        if (text != null) {
            throw new AdminException(
                    Kind.INVALID, "activation must be active, disabled or stopped");
        }
        return null;
    }

    private static @Nullable Double weight(@Nullable String text) throws AdminException {
        if (text == null) {
            return null;
        }
        if (!text.matches("[0-9]{1,7}([.][0-9]{1,6})?") || text.matches("[0.]+")) {
            throw new AdminException(Kind.INVALID, "weight must be a number above 0");
        }
        return Double.valueOf(text);
    }

    private static @Nullable Integer whole(Map<String, String> parameters, String key, int most)
            throws AdminException {
        String text = parameters.get(key);
        if (text == null) {
            return null;
        }
        if (!text.matches("[0-9]{1,7}") || Integer.parseInt(text) > most) {
            throw new AdminException(
                    Kind.INVALID, key + " must be a whole number from 0 to " + most);
        }
        return Integer.valueOf(text);
    }

    /// The share of a member after the change.
    public PeerConfig.Share of(PeerConfig.Share before) {
        return before.withActivation(activation == null ? before.activation() : activation)
                .withWeight(weight == null ? before.weight() : weight)
                .withDistance(distance == null ? before.distance() : distance)
                .withBusyMax(busyMax == null ? before.busyMax() : busyMax);
    }

    /// What the change is, for the log.
    public String text(PeerConfig.Share before) {
        PeerConfig.Share after = of(before);
        List<String> texts = new ArrayList<>();
        add(texts, "activation", word(before.activation()), word(after.activation()));
        add(texts, "weight", before.weight(), after.weight());
        add(texts, "distance", before.distance(), after.distance());
        add(texts, "busy-max", before.busyMax(), after.busyMax());
        return texts.isEmpty() ? "nothing changes" : String.join(", ", texts);
    }

    private static String word(Activation activation) {
        return activation.name().toLowerCase(Locale.ROOT);
    }

    private static void add(List<String> texts, String key, Object before, Object after) {
        if (!before.equals(after)) {
            texts.add(key + " from " + before + " to " + after);
        }
    }
}
