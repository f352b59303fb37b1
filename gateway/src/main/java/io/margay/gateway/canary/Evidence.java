package io.margay.gateway.canary;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/// A sequential test of whether a mean is above a margin, by betting: whoever bets against "at most
/// the margin" with money 1 has more than 1/α with a probability of at most α, however long and
/// however often is looked (Ville's inequality), so that a test may be looked at after each answer.
/// After I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by betting"
/// (J. R. Stat. Soc. B, 2024): the bets are a mixture of fixed ones, as the mixture SPRT has it. No
/// distribution is assumed, only values from -1 to 1.
///
/// Two bettors share the risk. One goes on for ever, for small differences; the other begins anew
/// after each [#ROUND] values with a risk that is the smaller the later, so that what was good for
/// days does not speak for what has become bad. Confined to its owner.
final class Evidence {
    /// Values after which the second bettor begins anew.
    static final int ROUND = 1000;

    private static final int BETS = 8;

    /// The greatest bet, of what may be lost at once.
    private static final double BOLDEST = 0.9;

    private final double margin;
    private final double risk;
    private final double[] lasting = new double[BETS];
    private final double[] recent = new double[BETS];
    private int seen;
    private int round = 1;

    /// @param margin that the mean may have
    /// @param risk with which a mean within the margin is found to be above it, ever
    Evidence(double margin, double risk) {
        this.margin = margin;
        this.risk = risk;
        Arrays.fill(lasting, 1);
        Arrays.fill(recent, 1);
    }

    /// Adds a value.
    ///
    /// @param value from -1 to 1
    /// @return whether the mean is above the margin
    boolean add(double value) {
        if (seen == ROUND) {
            seen = 0;
            round++;
            Arrays.fill(recent, 1);
        }
        seen++;
        double bet = BOLDEST / (1 + margin);
        for (int i = 0; i < BETS; i++) {
            double factor = 1 + bet * (value - margin);
            lasting[i] *= factor;
            recent[i] *= factor;
            bet /= 2;
        }
        return mean(lasting) >= 2 / risk || mean(recent) >= 2.0 * round * (round + 1) / risk;
    }

    void write(DataOutput out) throws IOException {
        out.writeInt(seen);
        out.writeInt(round);
        for (int i = 0; i < BETS; i++) {
            out.writeDouble(lasting[i]);
            out.writeDouble(recent[i]);
        }
    }

    void read(DataInput in) throws IOException {
        seen = in.readInt();
        round = in.readInt();
        for (int i = 0; i < BETS; i++) {
            lasting[i] = in.readDouble();
            recent[i] = in.readDouble();
        }
    }

    private static double mean(double[] of) {
        double sum = 0;
        for (double each : of) {
            sum += each;
        }
        return sum / of.length;
    }
}
