/// Applications of frameworks, driven through their main paths over HTTP.
package io.margay.frameworks.tests;
