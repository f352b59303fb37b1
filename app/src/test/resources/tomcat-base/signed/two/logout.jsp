<%@ page session="false" %><% request.logout(); %><%= request.getRemoteUser() %>
