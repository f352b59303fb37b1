package io.margay.compat.nginx.syntax;

import io.margay.compat.account.Place;
import java.util.ArrayList;
import java.util.List;

/// A directive of a file, with what stands in its block. What has become of it is noted here while
/// it is read. Confined to one reading.
public final class NginxNode {
    private final String name;
    private final List<String> words;
    private final Place place;
    private final NginxDirective directive;
    private final List<NginxNode> block = new ArrayList<>();
    private boolean read;
    private boolean told;

    /// @param words behind the name
    NginxNode(String name, List<String> words, Place place, NginxDirective directive) {
        this.name = name;
        this.words = List.copyOf(words);
        this.place = place;
        this.directive = directive;
    }

    public String name() {
        return name;
    }

    /// The words behind its name.
    public List<String> words() {
        return words;
    }

    /// A word, from 0; empty where there is none.
    public String word(int index) {
        return index < words.size() ? words.get(index) : "";
    }

    public Place place() {
        return place;
    }

    /// What is known of directives of its name.
    public NginxDirective directive() {
        return directive;
    }

    /// What stands in its block.
    public List<NginxNode> block() {
        return block;
    }

    /// Somebody has asked for it.
    public NginxNode asked() {
        read = true;
        return this;
    }

    /// Whether somebody has.
    public boolean isRead() {
        return read;
    }

    /// The account has a line about it.
    public void tell() {
        told = true;
    }

    /// Whether the account has.
    public boolean isTold() {
        return told;
    }

    /// As it is shown in the account.
    @Override
    public String toString() {
        return words.isEmpty() ? name : name + " " + String.join(" ", words);
    }
}
